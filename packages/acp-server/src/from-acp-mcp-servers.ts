import type { McpServerConfig } from '@ostler/agent-api'
import { hasUnseen, headerName, headerValue, isRecord, showHidden } from '@ostler/agent-api/internal'
import { invalidParams } from './read-params.ts'

const nameCharsMax = 256
/** Nobody uses so many. Each further one costs work with every message. */
const serversMax = 200

export interface RequestedServers {
  readonly servers: readonly McpServerConfig[]
  /** Unusable entries, with a reason for a person. A reason never contains a value, because values may be secrets. */
  readonly rejected: readonly { readonly server: string; readonly reason: string }[]
  /** Entries that are used although they do not quite follow ACP, with the correction made. */
  readonly repaired: readonly { readonly server: string; readonly repair: string }[]
}

/**
 * Reads the editor's MCP servers one by one, so that an invalid entry does not affect the session. Accepts what is clearly meant: a missing
 * list is empty, and a map of variables stands for a list. Rejects what is ambiguous, with a reason. `editor` is the name of the editor, if
 * its own servers may be used.
 */
export function fromAcpMcpServers(raw: unknown, editor?: string): RequestedServers {
  if (raw === null || raw === undefined) return { servers: [], rejected: [], repaired: [] }
  if (!Array.isArray(raw)) throw invalidParams('mcpServers', 'must be an array')
  const servers = new Map<string, McpServerConfig>()
  const rejected: { server: string; reason: string }[] = []
  const repaired: { server: string; repair: string }[] = []
  for (const [index, entry] of raw.slice(0, serversMax).entries()) {
    const label = labelOf(entry, index)
    try {
      const server = fromEntry(entry, editor)
      if (servers.has(server.name)) {
        // The name alone would suggest that the first entry was dropped.
        rejected.push({
          server: `${label} (#${index + 1})`,
          reason: 'another entry has the same name; the first one is used',
        })
        continue
      }
      if (
        server.type === 'acp' &&
        [...servers.values()].some((other) => other.type === 'acp' && other.serverId === server.serverId)
      )
        throw new Rejection('another entry has the same "serverId"; the first one is used')
      servers.set(server.name, server)
      repaired.push(...repairsOf(entry, server).map((repair) => ({ server: label, repair })))
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      rejected.push({ server: label, reason: error.message })
    }
  }
  if (raw.length > serversMax) {
    const reason = `a session has at most ${serversMax} MCP servers; remove some of the ${raw.length} in your editor`
    rejected.push({ server: `#${serversMax + 1} to #${raw.length}`, reason })
  }
  return { servers: [...servers.values()], rejected, repaired }
}

/** Internal: carries a reason to the list of rejected entries. */
class Rejection extends Error {}

/** A label for an entry, which may lack a name. */
function labelOf(entry: unknown, index: number): string {
  const name = isRecord(entry) ? entry['name'] : undefined
  const shown =
    typeof name === 'string' ? showHidden(name.slice(0, nameCharsMax).replace(/\p{Cc}+/gu, ' ')).trim() : ''
  return shown === '' ? `#${index + 1}` : shown
}

const listsOf: Readonly<Record<McpServerConfig['type'], readonly string[]>> = {
  stdio: ['args', 'env'],
  http: ['headers'],
  sse: ['headers'],
  acp: [],
}

/** The corrections made to an entry that does not follow ACP. */
function repairsOf(entry: unknown, { type }: McpServerConfig): string[] {
  const given = isRecord(entry) ? entry : {}
  return listsOf[type].flatMap((field) => {
    const value = given[field]
    if (value === undefined || value === null) return [`its "${field}" is missing and was treated as empty`]
    return Array.isArray(value)
      ? []
      : [`its "${field}" is a map and was treated as a list of names and values`]
  })
}

function fromEntry(entry: unknown, editor: string | undefined): McpServerConfig {
  if (!isRecord(entry)) throw new Rejection('it is not an object')
  const name = readName(entry['name'])
  const type = entry['type'] ?? 'stdio'
  switch (type) {
    case 'stdio': {
      if (entry['type'] === undefined && entry['command'] === undefined && entry['url'] !== undefined) {
        throw new Rejection('it has a "url" but no "type": set it to "http" or "sse"')
      }
      return {
        type: 'stdio',
        name,
        command: readCommand(entry['command']),
        args: readArgs(entry['args']),
        env: readEnv(entry['env']),
      }
    }
    case 'http':
    case 'sse':
      return {
        type: type === 'sse' ? 'sse' : 'http',
        name,
        url: readUrl(entry['url']),
        headers: readHeaders(entry['headers']),
      }
    case 'acp':
      if (editor === undefined)
        throw new Rejection(
          'its "type" is "acp", which is experimental: start Ostler with --experimental-mcp-over-acp to use it',
        )
      return { type: 'acp', name, serverId: readServerId(entry['serverId']), editor }
    default:
      throw new Rejection('its "type" must be "stdio", "http" or "sse"')
  }
}

function readName(name: unknown): string {
  if (typeof name !== 'string') throw new Rejection('its "name" is missing')
  if (name.trim() === '') throw new Rejection('its "name" is empty')
  if (hasUnseen(name)) throw new Rejection('its "name" contains a line break or hidden characters')
  if (name.length > nameCharsMax) throw new Rejection(`its "name" is longer than ${nameCharsMax} characters`)
  return name
}

function readServerId(id: unknown): string {
  if (typeof id !== 'string' || id === '') throw new Rejection('its "serverId" is missing')
  if (hasUnseen(id)) throw new Rejection('its "serverId" contains a line break or hidden characters')
  if (id.length > nameCharsMax)
    throw new Rejection(`its "serverId" is longer than ${nameCharsMax} characters`)
  return id
}

function readCommand(command: unknown): string {
  if (typeof command !== 'string') throw new Rejection('its "command" is missing')
  if (command.trim() === '') throw new Rejection('its "command" is empty')
  return withoutNul(command, '"command"')
}

function readArgs(args: unknown): readonly string[] {
  if (args === null || args === undefined) return []
  if (!Array.isArray(args)) throw new Rejection('its "args" is not a list')
  return args.map((arg: unknown, index) => {
    if (typeof arg !== 'string')
      throw new Rejection(`its "args" has an entry that is not a string (at ${index + 1})`)
    return withoutNul(arg, '"args"')
  })
}

function readEnv(env: unknown): Readonly<Record<string, string>> {
  const pairs = readPairs(env, 'env')
  for (const [name, value] of pairs) {
    if (name === '' || /[=\0]/.test(name))
      throw new Rejection('its "env" has a variable whose name is empty or contains "=" or NUL')
    withoutNul(value, '"env"')
  }
  return Object.fromEntries(pairs)
}

function readUrl(url: unknown): string {
  if (typeof url !== 'string') throw new Rejection('its "url" is missing')
  const parsed = URL.parse(url)
  if (parsed === null) throw new Rejection('its "url" is not an absolute URL')
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new Rejection('its "url" is neither http nor https')
  return url
}

function readHeaders(headers: unknown): Readonly<Record<string, string>> {
  const pairs = readPairs(headers, 'headers')
  for (const [name, value] of pairs) {
    if (!headerName.test(name)) throw new Rejection('its "headers" has a header with an invalid name')
    if (!headerValue.test(value)) {
      throw new Rejection(`its header "${name}" has a value with a line break or another invalid character`)
    }
  }
  return Object.fromEntries(pairs)
}

/** ACP uses a list of `{name, value}`; some editors send the map that a person wrote. */
function readPairs(raw: unknown, field: 'env' | 'headers'): readonly (readonly [string, string])[] {
  if (raw === null || raw === undefined) return []
  const entries: readonly (readonly [unknown, unknown])[] | undefined = Array.isArray(raw)
    ? raw.map((entry: unknown) =>
        isRecord(entry) ? [entry['name'], entry['value']] : [undefined, undefined],
      )
    : isRecord(raw)
      ? Object.entries(raw)
      : undefined
  if (entries === undefined) throw new Rejection(`its "${field}" is neither a list nor a map`)
  return entries.map(([name, value]) => {
    if (typeof name !== 'string') throw new Rejection(`its "${field}" has an entry without a name`)
    if (typeof value !== 'string')
      throw new Rejection(`its "${field}" has an entry whose value is not a string`)
    return [name, value]
  })
}

function withoutNul(value: string, field: string): string {
  if (value.includes('\0')) throw new Rejection(`its ${field} contains a NUL character`)
  return value
}
