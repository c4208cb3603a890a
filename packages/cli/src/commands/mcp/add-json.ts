import { text as readAll } from 'node:stream/consumers'
import { isRecord } from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '@ostler/workbench'
import { defineCommand, usageError } from '../../command-line/command.ts'
import { storeServer } from './store-server.ts'
import { serverFlags } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME JSON [options]'],
  about: `Stores a server given as an entry of mcpServers: { "command", "args", "env" } or { "url", "headers" }, with any other field of the
  agent file. JSON may be - for standard input. Nothing is started.`,
  flags: serverFlags,
  words: ['nothing'],
  async run(io, { values, words }) {
    const [name, json, ...others] = words
    if (name === undefined || json === undefined || others.length > 0)
      throw usageError('add-json needs a name and a JSON object, or - for standard input')
    const entry = parseEntry(json === '-' ? await readAll(io.stdin) : json)
    return storeServer(io, values, { name, entry })
  },
})

function parseEntry(text: string): ServerEntryInput {
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    throw usageError('invalid JSON')
  }
  if (!isRecord(entry)) throw usageError('expected a JSON object')
  if (isRecord(entry['mcpServers'])) throw usageError('this is a list of servers; use mcp import')
  return entry
}
