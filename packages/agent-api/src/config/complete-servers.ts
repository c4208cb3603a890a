import { isRecord } from '../base/is-record.ts'
import type { ConfigProblem } from './describe-issue.ts'
import { permissionFields, filtersNothing } from './foreign-fields.ts'

interface CompletedServers {
  readonly data: unknown
  readonly warnings: readonly ConfigProblem[]
  /** Servers whose mode was added. */
  readonly notes: readonly ConfigProblem[]
}

type Fields = Readonly<Record<string, unknown>>

const addresses = ['serverUrl', 'httpUrl'] as const
const transportFields = ['transport', 'transportType']

/** The fields that READMEs of servers use. An entry with no others may be pasted as it is. */
export const readmeFields: readonly string[] = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'disabled',
]
const pastedFields: ReadonlySet<string> = new Set([
  ...readmeFields,
  'sandbox',
  ...addresses,
  ...transportFields,
])

/**
 * Reads the entries of `mcpServers` as they are in the README of a server: without a type, or with another program's names for a field.
 * `foreign` are the fields to leave out, with the reason. Anything else is left as it is, for the schema to check.
 */
export function completeServers(
  data: unknown,
  foreign: ReadonlyMap<string, string> = permissionFields,
): CompletedServers {
  if (!isRecord(data) || !isRecord(data['mcpServers'])) return { data, warnings: [], notes: [] }
  const warnings: ConfigProblem[] = []
  const notes: ConfigProblem[] = []
  const complete = (name: string, entry: unknown): unknown => {
    if (!isRecord(entry)) return entry
    const fields = Object.entries(entry).filter(([field, value]) => !filtersNothing(field, value))
    for (const [field] of fields) {
      const reason = foreign.get(field)
      if (reason !== undefined)
        warnings.push({ path: ['mcpServers', name, field], message: `has no effect: ${reason}` })
    }
    const kept = Object.fromEntries(fields.filter(([field]) => !foreign.has(field)))
    const completed = toOwnEntry(kept)
    if (Object.keys(kept).some((field) => !pastedFields.has(field))) return completed
    notes.push({
      path: ['mcpServers', name],
      message: 'counts as mode: dynamic with the default limits, because it says no mode',
    })
    return { ...completed, mode: 'dynamic', defaultToolConfig: {} }
  }
  const servers = Object.fromEntries(
    Object.entries(data['mcpServers']).map(([name, entry]) => [name, complete(name, entry)]),
  )
  return { data: { ...data, mcpServers: servers }, warnings, notes }
}

/** Adds a type if one is clear. Anything else stays as it is. */
export function toOwnEntry(entry: Fields): Fields {
  return withType(withOwnNames(entry))
}

export function addressOf(entry: Fields): unknown {
  return withOwnNames(entry)['url']
}

/** Ostler's own field takes precedence if an entry has both, and the other one is reported as unknown. */
function withOwnNames(entry: Fields): Fields {
  let named = entry
  const rename = (from: string, to: string, convert: (value: unknown) => unknown) => {
    const { [from]: value, ...rest } = named
    const converted = convert(value)
    if (converted !== undefined && named[to] === undefined) named = { ...rest, [to]: converted }
  }
  rename('disabled', 'enabled', (value) => (typeof value === 'boolean' ? !value : undefined))
  for (const name of addresses) rename(name, 'url', (value) => value)
  for (const name of transportFields) rename(name, 'type', toTransport)
  return named
}

function withType(entry: Fields): Fields {
  const type = entry['type'] === undefined ? guessType(entry) : toTransport(entry['type'])
  return type === undefined ? entry : { ...entry, type }
}

function guessType({ command, url }: Fields): string | undefined {
  // With both, the URL is reported as unknown.
  if (command !== undefined) return 'stdio'
  if (url === undefined) return undefined
  return typeof url === 'string' ? guessRemoteTransport(url) : 'http'
}

export type Transport = 'stdio' | 'http' | 'sse'

const transportNames: Readonly<Record<string, Transport>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamablehttp: 'http',
  sse: 'sse',
}

/** Undefined for a transport that Ostler does not have. */
export function toTransport(name: unknown): Transport | undefined {
  const plain = typeof name === 'string' ? name.toLowerCase() : ''
  return Object.hasOwn(transportNames, plain) ? transportNames[plain] : undefined
}

/** Without a stated transport, only the end of the path gives a hint. */
function guessRemoteTransport(url: string): 'http' | 'sse' {
  return /\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'http'
}
