import type { McpServer } from '@ostler/acp-server'
import { OstlerError } from '@ostler/agent-api'
import { expandData } from '@ostler/agent-api/internal'
import type { FoundServer } from '@ostler/workbench'
import type { Environment, Io } from '../../terminal/io.ts'
import { toShown } from '../../terminal/safe-text.ts'

/** An editor's servers have no such fields. */
const unusedFields = ['cwd', 'auth'] as const

/** The servers of a file with `mcpServers`, as an editor would pass them. Unusable entries are reported. */
export async function readMcpConfig(io: Io, path: string, log: (line: string) => void): Promise<McpServer[]> {
  const { readSource } = await import('../mcp/import-sources.ts')
  const { list } = await readSource(io, path, undefined)
  const say = (name: string, reason: string) =>
    log(`ostler: ${toShown(`MCP server "${name}" ${reason}`).replaceAll('\n', ' ')}\n`)
  for (const { name, reason } of list.skipped) say(name, `is skipped: ${reason}`)
  return list.servers.flatMap((server) => {
    if (server.entry['enabled'] === false) return []
    for (const field of unusedFields)
      if (server.entry[field] !== undefined) say(server.name, `is used without its ${field}`)
    if (server.inputs.length > 0)
      say(server.name, `is skipped: it needs values that are not in the file: ${server.inputs.join(', ')}`)
    else return [toAcpServer(server, io.env)]
    return []
  })
}

function toAcpServer({ name, entry }: Pick<FoundServer, 'name' | 'entry'>, env: Environment): McpServer {
  const { data, unset } = expandData(entry, env)
  const [first] = unset
  if (first !== undefined)
    throw new OstlerError(
      'config.invalid',
      `MCP server "${toShown(name)}": the variable ${first.name} is not set.`,
    )
  const fields = data as Readonly<Record<string, unknown>>
  const pairs = (value: unknown) =>
    Object.entries((value ?? {}) as Readonly<Record<string, string>>).map(([key, text]) => ({
      name: key,
      value: text,
    }))
  const { type, command, args, url } = fields
  if (type === 'stdio')
    return { name, command: String(command), args: (args ?? []) as string[], env: pairs(fields['env']) }
  return { type: type === 'sse' ? 'sse' : 'http', name, url: String(url), headers: pairs(fields['headers']) }
}
