import { OstlerError } from '@ostler/agent-api'
import { isRecord, pickTexts, type MarkedSecrets } from '@ostler/agent-api/internal'
import { describeFound, inputsIn } from './found-server.ts'
import { dialects, vscodePart, type Fields } from './dialects.ts'
import { parseJsonc } from './parse-jsonc.ts'
import { readEntry } from './read-entry.ts'
import type {
  FoundServer,
  ServerList,
  ServerListFormat,
  ServerListInput,
  SkippedServer,
} from './server-list.ts'

interface ParseServerListOptions {
  /** Detected if undefined. */
  readonly format?: ServerListFormat
  readonly workspaceFolder?: string
}

/** Skips an invalid entry. Throws `import.invalid` for other text, and `import.no_servers` for settings without servers. */
export function parseServerList(text: string, options: ParseServerListOptions = {}): ServerList {
  const data = (options.format === undefined ? parseJsonc : dialects[options.format].parse)(text)
  if (!isRecord(data)) throw new OstlerError('import.invalid', 'It is not an object.')
  const format = options.format ?? formatOf(data)
  const { entries: entriesOf, toCommon, references } = dialects[format]
  const entries = entriesOf(data)
  if (!isRecord(entries))
    throw new OstlerError(
      'import.no_servers',
      `There are no MCP servers in it: it has no ${options.format === undefined ? '"mcpServers", "servers" or "context_servers"' : dialects[format].place}.`,
    )
  const inputs = inputsOf(data)
  const servers: FoundServer[] = []
  const skipped: SkippedServer[] = []
  for (const [name, raw] of Object.entries(entries)) {
    const read = readEntry(toCommon !== undefined && isRecord(raw) ? toCommon(raw) : raw, {
      references,
      workspaceFolder: options.workspaceFolder,
    })
    if ('reason' in read) {
      skipped.push({ name, reason: read.reason })
      continue
    }
    const found = describeFound({ name, ...read, secret: secretInputs(read.entry, inputs) })
    if ('reason' in found) skipped.push(found)
    else servers.push(found)
  }
  const wanted = new Set(servers.flatMap((server) => server.inputs))
  const known = inputs.filter(({ id }) => wanted.has(id))
  const unknown = [...wanted].filter((id) => !known.some((input) => input.id === id))
  return {
    format,
    servers,
    skipped,
    // Inputs that are used but not described are also requested, and treated as secret.
    inputs: [...known, ...unknown.map((id) => ({ id, isSecret: true }))],
    notes: notesOf(data),
  }
}

function formatOf(data: Fields): ServerListFormat {
  if (isRecord(data['context_servers'])) return 'zed'
  if (isOpencode(data)) return 'opencode'
  return isRecord(vscodePart(data)['servers']) && !isRecord(data['mcpServers']) ? 'vscode' : 'mcpServers'
}

function isOpencode(data: Fields): boolean {
  if (typeof data['$schema'] === 'string' && data['$schema'].includes('opencode')) return true
  const entries = isRecord(data['mcp']) ? Object.values(data['mcp']) : []
  return entries.some((entry) => isRecord(entry) && (entry['type'] === 'local' || entry['type'] === 'remote'))
}

function inputsOf(data: Fields): ServerListInput[] {
  const inputs = vscodePart(data)['inputs']
  if (!Array.isArray(inputs)) return []
  return inputs.flatMap((input: unknown) => {
    if (!isRecord(input) || typeof input['id'] !== 'string') return []
    const { id, password } = input
    return [{ id, isSecret: password === true, ...pickTexts(input, 'description', 'default') }]
  })
}

function secretInputs({ env, headers }: Fields, inputs: readonly ServerListInput[]): MarkedSecrets {
  const isSecret = (value: unknown) =>
    inputsIn(String(value)).some((id) => inputs.find((input) => input.id === id)?.isSecret !== false)
  const names = (pairs: unknown) =>
    isRecord(pairs) ? Object.entries(pairs).flatMap(([name, value]) => (isSecret(value) ? [name] : [])) : []
  return { env: names(env), headers: names(headers) }
}

function notesOf(data: Fields): string[] {
  const projects = isRecord(data['projects']) ? Object.values(data['projects']) : []
  const count = projects.filter(
    (project) =>
      isRecord(project) && isRecord(project['mcpServers']) && Object.keys(project['mcpServers']).length > 0,
  ).length
  return count === 0 ? [] : [`${count} of its projects have servers of their own, which are not imported`]
}
