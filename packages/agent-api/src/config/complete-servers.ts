import { isRecord } from '../base/is-record.ts'
import type { ConfigProblem } from './describe-issue.ts'
import { permissionFields } from './foreign-fields.ts'
import { filtersNothing } from './tool-filters.ts'
import { guessRemoteTransport, toTransport } from './transport-names.ts'

export interface CompletedServers {
  readonly data: unknown
  /** Fields of other programs that have no effect. */
  readonly warnings: readonly ConfigProblem[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the entries of `mcpServers` as they are in the README of a server: without a type, or with another program's names for a field.
 * `foreign` are the fields to leave out, with the reason. Anything else is left as it is, for the schema to check.
 */
export function completeServers(data: unknown, foreign: ReadonlyMap<string, string> = permissionFields): CompletedServers {
  if (!isRecord(data) || !isRecord(data['mcpServers'])) return { data, warnings: [] }
  const warnings: ConfigProblem[] = []
  const complete = (name: string, entry: unknown): unknown => {
    if (!isRecord(entry)) return entry
    const fields = Object.entries(entry).filter(([field, value]) => !filtersNothing(field, value))
    for (const [field] of fields) {
      const reason = foreign.get(field)
      if (reason !== undefined) warnings.push({ path: ['mcpServers', name, field], message: `has no effect: ${reason}` })
    }
    const kept = Object.fromEntries(fields.filter(([field]) => !foreign.has(field)))
    return withType(withOwnNames(kept))
  }
  const servers = Object.fromEntries(Object.entries(data['mcpServers']).map(([name, entry]) => [name, complete(name, entry)]))
  return { data: { ...data, mcpServers: servers }, warnings }
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
  for (const name of ['serverUrl', 'httpUrl']) rename(name, 'url', (value) => value)
  for (const name of ['transport', 'transportType']) rename(name, 'type', toTransport)
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
