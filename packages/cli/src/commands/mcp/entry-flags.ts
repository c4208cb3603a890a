import { createInterface } from 'node:readline'
import { OstlerError } from '@ostler/agent-api'
import { defined, isRecord, parseJsonOr, sandboxLevels, type MarkedSecrets } from '@ostler/agent-api/internal'
import { escapeDollars, type ServerEntryInput } from '@ostler/workbench'
import {
  oneOf,
  switchFlag,
  textFlag,
  usageError,
  type Flags,
  type FlagValues,
} from '../../command-line/command.ts'
import { toPath } from '../../state/places.ts'
import { askSecret, hasPerson } from '../../terminal/ask.ts'
import type { Io } from '../../terminal/io.ts'
import { warn } from '../../terminal/print.ts'

const transports = ['stdio', 'http', 'sse']

export const fieldFlags = {
  env: textFlag(
    'NAME[=VALUE]',
    'An environment variable; without a value, the one set where the agent starts',
    { short: 'e', multiple: true },
  ),
  header: textFlag("'NAME: VALUE'", 'A header for every request', { short: 'H', multiple: true }),
  secret: textFlag('NAME', 'Treat this variable or header as secret. Prompts for a missing value', {
    multiple: true,
  }),
  'secret-stdin': switchFlag('Read prompted values from standard input, one per line'),
  'auth-bearer': textFlag('TOKEN', 'Authenticate with a bearer token; - prompts for it'),
  'auth-api-key': textFlag('KEY', 'Authenticate with an API key; - prompts for it'),
  'auth-header': textFlag('NAME', 'The header of the key (x-api-key)'),
  'auth-basic': textFlag(
    'USER[:PASSWORD]',
    'Authenticate with a user name and a password; prompts for a missing password',
  ),
  'auth-client': textFlag(
    'ID[:SECRET]',
    'Authenticate as a program with OAuth (client credentials); prompts for a missing secret. Needs --auth-issuer',
  ),
  'auth-issuer': textFlag('URL', 'The authorization server that may receive the credentials of the client'),
  cwd: textFlag('DIR', 'The folder in which its command starts (default: the home directory)', {
    completion: 'directory',
  }),
  sandbox: textFlag(
    'LEVEL',
    'on, or required: it reaches only hosts that you allow, and writes only in --cwd (off)',
    {
      completion: sandboxLevels,
    },
  ),
  transport: textFlag('KIND', 'stdio, http or sse (default: http for a URL, stdio for a command)', {
    short: 't',
    completion: transports,
  }),
  set: textFlag(
    'FIELD=VALUE',
    'Any other field of the agent file: mode=strict, timeout=30s, defaultToolConfig.timeout=1m',
    { multiple: true },
  ),
} as const satisfies Flags

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
  readonly fill: (changes: EntryChanges, value: string) => EntryChanges
}

/** Throws for invalid flags. The schema validates the values. */
export function toEntryChanges(io: Pick<Io, 'cwd'>, flags: EntryFlags, isRemote: boolean): EntryChanges {
  const { env: variables = [], header: headerPairs = [], secret: names = [] } = flags
  const transport = oneOf('transport', flags.transport, transports)
  if (isRemote && variables.length > 0)
    throw usageError('--env works with a command; use --header with a URL')
  if (!isRemote && headerPairs.length > 0)
    throw usageError('--header works with a URL; use --env with a command')

  const env = Object.fromEntries(variables.map(parseVariable))
  const headers = Object.fromEntries(headerPairs.map(parseHeader))
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
  // Resolved now, because the server starts later, in another folder.
  const cwd = flags.cwd === undefined || /^[~$]/.test(flags.cwd) ? flags.cwd : toPath(io, flags.cwd)
  const fields = { ...defined({ type: transport, cwd, sandbox: flags.sandbox, auth }), ...outer }
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
export function warnOfUnset(io: Io, { env: pairs = [] }: EntryFlags): void {
  for (const name of pairs.filter((pair) => !pair.includes('=') && io.env[pair] === undefined))
    warn(io, `the variable ${name} is not set in this shell; the server needs it where the agent starts`)
}

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
  const map = isRecord(data) ? data : {}
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
    throw usageError('--auth-client and --auth-issuer must be used together')
  /** A missing secret is asked for later, by its label. */
  const withSecret = (
    entry: Readonly<Record<string, unknown>>,
    field: string,
    given: string | undefined,
    label = field,
  ) =>
    given === undefined
      ? { auth: entry, missing: [{ label, fill: fillAuth(field) }] }
      : { auth: { ...entry, [field]: given }, missing: [] }
  const unlessDash = (text: string) => (text === '-' ? undefined : text)
  if (bearer !== undefined) return withSecret({ type: 'bearer' }, 'token', unlessDash(bearer))
  if (key !== undefined) return withSecret({ type: 'api-key', header }, 'key', unlessDash(key))
  if (client !== undefined) {
    const [clientId, secret] = splitPair(client)
    const entry = { type: 'client-credentials', issuer, clientId }
    return withSecret(entry, 'clientSecret', secret, `secret of ${clientId}`)
  }
  if (basic === undefined) return { missing: [] }
  const [username, password] = splitPair(basic)
  return withSecret({ type: 'basic', username }, 'password', password, `password of ${username}`)
}

function fillAuth(field: string): MissingSecret['fill'] {
  return (changes, value) => {
    const auth = { ...(changes.fields['auth'] as object), [field]: escapeDollars(value) }
    return { ...changes, fields: { ...changes.fields, auth } }
  }
}

/** Splits `NAME:SECRET` at its first colon. */
function splitPair(pair: string): [string, string | undefined] {
  const colon = pair.indexOf(':')
  return colon === -1 ? [pair, undefined] : [pair.slice(0, colon), pair.slice(colon + 1)]
}

/** Fills in missing secrets: asks without echo, or reads them from standard input, one per line. */
export async function askSecrets(io: Io, changes: EntryChanges, fromStdin: boolean): Promise<EntryChanges> {
  if (changes.missing.length === 0) return changes
  if (!fromStdin && !hasPerson(io)) {
    const names = changes.missing.map(({ label }) => label).join(', ')
    throw usageError(
      `no value given for ${names}, and no terminal to prompt on; use --secret-stdin to read it from standard input`,
    )
  }
  const lines = fromStdin ? await readLines(io) : undefined
  let filled = changes
  for (const [index, { label, fill }] of changes.missing.entries()) {
    const value = lines === undefined ? await askSecret(label, io) : lines[index]
    if (value === undefined || value === '')
      throw new OstlerError('secrets.missing', `No value given for ${label}. Nothing was stored.`)
    filled = fill(filled, value)
  }
  return filled
}

async function readLines({ stdin }: Io): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: stdin })) lines.push(line)
  return lines
}
