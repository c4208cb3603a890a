import { parseJsonOr, type MarkedSecrets } from '@ostler/agent-api/internal'
import { escapeDollars, type ServerEntryInput } from '@ostler/workbench'
import type { FlagValues } from '../../command-line/command.ts'
import { oneOf, usageError } from '../../command-line/usage-error.ts'
import { toPath } from '../../state/places.ts'
import type { Io } from '../../terminal/io.ts'
import { toShown } from '../../terminal/format-table.ts'
import type { fieldFlags } from './server-flags.ts'

type EntryFlags = FlagValues<typeof fieldFlags>

/** The changes that the flags make to an entry, and the secrets that are still missing. */
export interface EntryChanges {
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Whole fields. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Nested fields: `['defaultToolConfig', 'timeout']`. */
  readonly inner: readonly { readonly path: readonly string[]; readonly value: unknown }[]
  readonly secret: MarkedSecrets
  readonly missing: readonly MissingSecret[]
}

interface MissingSecret {
  readonly label: string
  /** Adds the value to the changes. */
  readonly fill: (changes: EntryChanges, value: string) => EntryChanges
}

const transports = ['stdio', 'http', 'sse']

/** Throws for invalid flags. The schema validates the values. */
export function toEntryChanges(io: Pick<Io, 'cwd'>, flags: EntryFlags, isRemote: boolean): EntryChanges {
  const { mode, description, timeout } = flags
  const transport = oneOf('transport', flags.transport, transports)
  if (isRemote && (flags.env ?? []).length > 0)
    throw usageError('--env works with a command; use --header with a URL')
  if (!isRemote && (flags.header ?? []).length > 0)
    throw usageError('--header works with a URL; use --env with a command')

  const env = Object.fromEntries((flags.env ?? []).map(parseVariable))
  const headers = Object.fromEntries((flags.header ?? []).map(parseHeader))
  const names = flags.secret ?? []
  const { auth, missing: missingAuth } = parseAuth(flags)
  if (auth !== undefined && !isRemote)
    throw usageError('--auth-... works with a URL; use --env and --secret with a command')
  const missing = names.flatMap((name): MissingSecret[] => {
    if (Object.hasOwn(isRemote ? headers : env, name)) return []
    const field = isRemote ? 'headers' : 'env'
    return [
      {
        label: name,
        fill: (changes, value) => ({
          ...changes,
          [field]: { ...changes[field], [name]: escapeDollars(value) },
        }),
      },
    ]
  })
  const set = (flags.set ?? []).map(parseField)
  const inner = set.filter(({ path }) => path.length > 1)
  const outer = Object.fromEntries(
    set.filter(({ path }) => path.length === 1).map(({ path, value }) => [path[0] ?? '', value]),
  )
  // The folder of this moment. A server starts later, from another one.
  const cwd = flags.cwd === undefined || /^[~$]/.test(flags.cwd) ? flags.cwd : toPath(io, flags.cwd)
  const given = { type: transport, cwd, mode, description, timeout, auth }
  const fields = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...outer,
  }
  return {
    env,
    headers,
    fields,
    inner,
    secret: isRemote ? { headers: names } : { env: names },
    missing: [...missing, ...missingAuth],
  }
}

/** `-e NAME` refers to a variable of the agent's environment, which may be set there and not here. */
export function warnOfUnset({ env, stderr }: Io, pairs: readonly string[] | undefined = []): void {
  for (const name of pairs.filter((pair) => !pair.includes('=') && env[pair] === undefined))
    stderr.write(
      `ostler: ${toShown(`the variable ${name} is not set in this shell; the server needs it where the agent starts`)}\n`,
    )
}

/** Applies nested changes to an entry. */
export function withInner(entry: ServerEntryInput, inner: EntryChanges['inner']): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...entry }
  for (const { path, value } of inner) {
    const [field = '', ...rest] = path
    changed[field] = withValue(changed[field], rest, value)
  }
  return changed
}

function withValue(data: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const map = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}
  return { ...map, [key]: withValue(map[key], rest, value) }
}

/** `NAME` alone refers to a variable of the agent's environment. */
function parseVariable(pair: string): [string, string] {
  const [, name, value] = /^([^=\s]+)(?:=([^]*))?$/.exec(pair) ?? []
  if (name === undefined) throw usageError('every --env must have the form NAME=VALUE or NAME')
  return [name, value ?? `\${${name}}`]
}

function parseHeader(pair: string): [string, string] {
  const [, name, value] = /^([^:=\s]+)\s*[:=]\s*([^]*)$/.exec(pair) ?? []
  if (name === undefined || value === undefined)
    throw usageError(`every --header must have the form 'NAME: VALUE'`)
  return [name, value]
}

function parseField(pair: string): { path: string[]; value: unknown } {
  const [, name, text] = /^([\w$.-]+)=([^]*)$/.exec(pair) ?? []
  if (name === undefined || text === undefined) throw usageError('every --set must have the form FIELD=VALUE')
  return { path: name.split('.'), value: parseJsonOr(text, text) }
}

function parseAuth(flags: EntryFlags): {
  auth?: Readonly<Record<string, unknown>>
  missing: MissingSecret[]
} {
  const { 'auth-bearer': bearer, 'auth-api-key': key, 'auth-header': header, 'auth-basic': basic } = flags
  const { 'auth-client': client, 'auth-issuer': issuer } = flags
  if ([bearer, key, basic, client].filter((value) => value !== undefined).length > 1)
    throw usageError('only one kind of --auth-... can be used')
  if (header !== undefined && key === undefined) throw usageError('--auth-header requires --auth-api-key')
  if ((client === undefined) !== (issuer === undefined))
    throw usageError('--auth-client and --auth-issuer require each other')
  const ask = (field: string, label: string): MissingSecret => ({
    label,
    fill: (changes, value) => {
      const auth = { ...(changes.fields['auth'] as object), [field]: escapeDollars(value) }
      return { ...changes, fields: { ...changes.fields, auth } }
    },
  })
  if (bearer !== undefined) {
    return bearer === '-'
      ? { auth: { type: 'bearer' }, missing: [ask('token', 'token')] }
      : { auth: { type: 'bearer', token: bearer }, missing: [] }
  }
  if (key !== undefined) {
    const auth = { type: 'api-key', header }
    return key === '-' ? { auth, missing: [ask('key', 'key')] } : { auth: { ...auth, key }, missing: [] }
  }
  if (client !== undefined) {
    const [clientId, clientSecret] = splitPair(client)
    const auth = { type: 'client-credentials', issuer, clientId }
    return clientSecret === undefined
      ? { auth, missing: [ask('clientSecret', `secret of ${clientId}`)] }
      : { auth: { ...auth, clientSecret }, missing: [] }
  }
  if (basic === undefined) return { missing: [] }
  const [username, password] = splitPair(basic)
  return password === undefined
    ? { auth: { type: 'basic', username }, missing: [ask('password', `password of ${username}`)] }
    : { auth: { type: 'basic', username, password }, missing: [] }
}

/** Splits `NAME:SECRET` at its first colon. */
function splitPair(pair: string): [string, string | undefined] {
  const colon = pair.indexOf(':')
  return colon === -1 ? [pair, undefined] : [pair.slice(0, colon), pair.slice(colon + 1)]
}
