import { text as readAll } from 'node:stream/consumers'
import { isRecord, type ServerEntryInput } from '@ostler/agent-api'
import { defineCommand } from '../../command-line/command.ts'
import { placeFlags } from './server-flags.ts'
import { jsonFlag } from '../../command-line/shared-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { printJson } from '../../terminal/print-json.ts'
import { sayStored } from './say-stored.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME JSON [options]'],
  about: `Stores a server that is written as an entry of mcpServers: { "command", "args", "env" } or { "url", "headers" }, and whatever else the
agent file may say of it. JSON may be - for standard input. Nothing is started.`,
  flags: { json: jsonFlag, ...placeFlags },
  words: ['nothing'],
  async run(io, { values, words }) {
    const [name, json, ...others] = words
    if (name === undefined || json === undefined || others.length > 0)
      throw usageError('add-json needs a name and one JSON object, or - for standard input')
    const entry = parseEntry(json === '-' ? await readAll(io.stdin) : json)
    return withService(io, values, async (service) => {
      const view = await service.addServer({ name, entry })
      if (values.json) printJson(io, view)
      else await sayStored(io, service, view, 'Stored')
      return 0
    })
  },
})

/** Adds the type, which other programs omit. The schema validates the other fields. */
function parseEntry(text: string): ServerEntryInput {
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    throw usageError('that is not JSON')
  }
  if (!isRecord(entry)) throw usageError('that is not a JSON object')
  if (isRecord(entry['mcpServers'])) throw usageError('that is a whole list of servers, which mcp import takes')
  return entry['type'] === undefined ? { type: typeof entry['url'] === 'string' ? 'http' : 'stdio', ...entry } : entry
}
