import { OstlerError } from '@ostler/agent-api'
import { defined, suggest } from '@ostler/agent-api/internal'
import type { ServerEntryInput, ServerUpdates, ServerView } from '@ostler/workbench'
import {
  defineCommand,
  textFlag,
  usageError,
  type Flags,
  type FlagValues,
} from '../../command-line/command.ts'
import {
  askSecrets,
  fieldFlags,
  toEntryChanges,
  warnOfUnset,
  withInner,
  type EntryChanges,
} from './entry-flags.ts'
import { sayStored } from './store-server.ts'
import { findStoredServer, serverFlags, withServers } from './with-servers.ts'

const flags = {
  name: textFlag('NAME', 'The new name'),
  url: textFlag('URL', 'The new URL'),
  ...fieldFlags,
  unset: textFlag('FIELD', 'Remove a field: description, env.NAME, headers.NAME, auth', { multiple: true }),
  ...serverFlags,
} as const satisfies Flags

type Values = FlagValues<typeof flags>

export const command = defineCommand({
  synopsis: ['NAME [options] [-- COMMAND [ARG...]]'],
  about: 'Changes the given fields and keeps the rest. Variables and headers are added to the existing ones.',
  flags,
  words: ['server', 'nothing'],
  needs: 'update needs the name of one server',
  takesProgram: true,
  async run(io, { values, word: name, program }) {
    if (program !== undefined && (program.length === 0 || values.url !== undefined))
      throw usageError(
        program.length === 0 ? 'no command after --' : 'a server has either a URL or a command',
      )
    if (program === undefined && !isChange(values)) throw usageError('nothing to change')
    return withServers(io, values, async (list) => {
      const server = await findStoredServer(list, name)
      if (server.origin === 'file')
        throw new OstlerError(
          'servers.read_only',
          `The server '${name}' is defined in the agent file. Change it there.`,
        )
      for (const field of values.unset ?? []) refuseUnknownField(server, field)
      refuseOtherKind(server, values, program)
      const changes = toEntryChanges(io, values, server.transport !== 'stdio')
      const filled = await askSecrets(io, changes, values['secret-stdin'])
      warnOfUnset(io, values)
      const view = await list.updateServer(server.id, toUpdates(server, filled, values, program))
      return sayStored(io, list, view, { what: 'Changed', json: values.json })
    })
  },
})

function refuseUnknownField({ name, entry }: ServerView, field: string): void {
  const [first = '', ...rest] = field.split('.')
  const inside = entry[first]
  const fields = rest.length === 0 ? entry : typeof inside === 'object' && inside !== null ? inside : {}
  const key = rest.length === 0 ? first : rest.join('.')
  if (Object.hasOwn(fields, key)) return
  const near = suggest(key, Object.keys(fields), rest.length === 0 ? '' : `${first}.`)
  throw usageError(`the server '${name}' has no field '${field}' to unset${near}`)
}

const otherFlags = new Set(['agent', 'state-dir', 'json', 'help', 'secret-stdin'])

function isChange(values: Values): boolean {
  return Object.keys(values).some((name) => !otherFlags.has(name))
}

/** A command has other fields than a URL. */
function refuseOtherKind(
  { name, transport: now }: ServerView,
  { url, transport }: Values,
  program: readonly string[] | undefined,
): void {
  const isRemote = now !== 'stdio'
  const isOther = isRemote
    ? program !== undefined || transport === 'stdio'
    : url !== undefined || (transport ?? 'stdio') !== 'stdio'
  if (isOther)
    throw usageError(
      `the server '${name}' has a ${isRemote ? 'URL, not a command' : 'command, not a URL'}; to change that, remove it and add it again`,
    )
}

function toUpdates(
  server: ServerView,
  changes: EntryChanges,
  values: Values,
  behind: readonly string[] | undefined,
): ServerUpdates {
  const { entry } = server
  const [command, ...args] = behind ?? []
  const unset = (values.unset ?? []).map((field) => field.split('.'))
  const changed = {
    ...defined({ url: values.url }),
    ...(command !== undefined && { command, args }),
    ...toPairs('env', entry, changes.env, unset),
    ...toPairs('headers', entry, changes.headers, unset),
    ...changes.fields,
    ...Object.fromEntries(unset.filter((path) => path.length === 1).map(([field = '']) => [field, null])),
    ...toInner(entry, changes, unset),
  }
  return {
    ...(values.name !== undefined && { name: values.name }),
    ...(Object.keys(changed).length > 0 && { entry: changed }),
    ...((values.secret ?? []).length > 0 && { secret: changes.secret }),
  }
}

/** Fields with nested changes. They are replaced as a whole, so their other content is included. */
function toInner(
  entry: ServerEntryInput,
  { inner }: EntryChanges,
  unset: readonly (readonly string[])[],
): Record<string, unknown> {
  const gone = unset
    .filter(([field, ...rest]) => rest.length > 0 && field !== 'env' && field !== 'headers')
    .map((path) => ({ path, value: undefined }))
  const all = [...inner, ...gone]
  const names = new Set(all.map(({ path }) => path[0] ?? ''))
  const changed = withInner(entry, all)
  return Object.fromEntries(
    [...names].map((name) => [name, JSON.parse(JSON.stringify(changed[name])) as unknown]),
  )
}

function toPairs(
  field: 'env' | 'headers',
  entry: ServerEntryInput,
  added: Readonly<Record<string, string>>,
  unset: readonly (readonly string[])[],
) {
  const gone = unset
    .filter(([name, ...rest]) => name === field && rest.length > 0)
    .map(([, ...rest]) => rest.join('.'))
  if (gone.length === 0 && Object.keys(added).length === 0) return {}
  const now = Object.entries((entry[field] ?? {}) as Readonly<Record<string, string>>)
  return { [field]: { ...Object.fromEntries(now.filter(([name]) => !gone.includes(name))), ...added } }
}
