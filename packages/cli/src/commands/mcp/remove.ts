import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { toShown } from '../../terminal/format-table.ts'
import { mcpRemoveCommand } from '../specs/mcp-servers.ts'
import { findStoredServer, withService } from './with-service.ts'

export async function runMcpRemove(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpRemoveCommand, args)
  if (line === undefined) return 0
  if (line.words.length === 0) throw usageError(mcpRemoveCommand, 'remove needs the names of servers')
  return withService(line.values, async (service) => {
    // All are looked up first: a name that is wrong removes nothing.
    const servers = []
    for (const name of new Set(line.words)) servers.push(await findStoredServer(service, name))
    for (const { id, name } of servers) {
      const { warning } = await service.removeServer(id)
      process.stdout.write(`${toShown(`Removed the server '${name}'.`)}\n`)
      if (warning !== undefined) process.stderr.write(`ostler: ${toShown(warning)}\n`)
    }
    return 0
  })
}
