import { text as readAll } from 'node:stream/consumers'
import { isRecord, type ServerEntryInput } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpAddJsonCommand } from '../specs/mcp-servers.ts'
import { sayStored } from './add.ts'
import { withService } from './with-service.ts'

export async function runMcpAddJson(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpAddJsonCommand, args)
  if (line === undefined) return 0
  const [name, json, ...others] = line.words
  if (name === undefined || json === undefined || others.length > 0)
    throw usageError(mcpAddJsonCommand, 'add-json needs a name and one JSON object, or - for standard input')
  const entry = parseEntry(json === '-' ? await readAll(process.stdin) : json)
  return withService(line.values, async (service) => {
    const view = await service.addServer({ name, entry })
    if (line.values.json) printJson(view)
    else await sayStored(service, view, 'Stored')
    return 0
  })
}

/** Other programs leave its type to be guessed. What the fields may be is for the schema to judge. */
function parseEntry(text: string): ServerEntryInput {
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    throw usageError(mcpAddJsonCommand, 'that is not JSON')
  }
  if (!isRecord(entry)) throw usageError(mcpAddJsonCommand, 'that is not a JSON object')
  if (isRecord(entry['mcpServers'])) throw usageError(mcpAddJsonCommand, 'that is a whole list of servers, which mcp import takes')
  return entry['type'] === undefined ? { type: typeof entry['url'] === 'string' ? 'http' : 'stdio', ...entry } : entry
}
