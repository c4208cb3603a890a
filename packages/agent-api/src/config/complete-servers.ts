import { isRecord } from '../base/is-record.ts'
import type { ConfigProblem } from './describe-issue.ts'
import { guessRemoteTransport, toTransport } from './transport-names.ts'

export interface CompletedServers {
  readonly data: unknown
  /** Fields of other programs that have no effect. */
  readonly warnings: readonly ConfigProblem[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the entries of `mcpServers` as they are in the README of a server: without a type, or with another program's names for a field.
 * Anything else is left as it is, for the schema to check.
 */
export function completeServers(data: unknown): CompletedServers {
  if (!isRecord(data) || !isRecord(data['mcpServers'])) return { data, warnings: [] }
  const warnings: ConfigProblem[] = []
  const complete = (name: string, entry: unknown): unknown => {
    if (!isRecord(entry)) return entry
    const { kept, ignored } = splitFields(entry)
    for (const field of ignored)
      warnings.push({ path: ['mcpServers', name, field], message: 'has no effect: approval and toolbox.tools say which tools may run' })
    return withType(withOwnNames(kept))
  }
  const servers = Object.fromEntries(Object.entries(data['mcpServers']).map(([name, entry]) => [name, complete(name, entry)]))
  return { data: { ...data, mcpServers: servers }, warnings }
}

/** Fields with which other programs run tools without a question. Ignoring one means more questions, never fewer. */
const permissions: ReadonlySet<string> = new Set(['autoApprove', 'alwaysAllow', 'trust'])

function splitFields(entry: Fields): { readonly kept: Fields; readonly ignored: readonly string[] } {
  const ignored = Object.keys(entry).filter((field) => permissions.has(field))
  if (ignored.length === 0) return { kept: entry, ignored }
  return { kept: Object.fromEntries(Object.entries(entry).filter(([field]) => !permissions.has(field))), ignored }
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
