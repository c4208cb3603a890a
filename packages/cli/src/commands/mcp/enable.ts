import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { toShown } from '../../terminal/format-table.ts'
import { mcpDisableCommand, mcpEnableCommand } from '../specs/mcp-servers.ts'
import { findStoredServer, withService } from './with-service.ts'

export function runMcpEnable(args: readonly string[]): Promise<number> {
  return runSwitch(mcpEnableCommand, args, true)
}

export function runMcpDisable(args: readonly string[]): Promise<number> {
  return runSwitch(mcpDisableCommand, args, false)
}

async function runSwitch(
  spec: typeof mcpEnableCommand | typeof mcpDisableCommand,
  args: readonly string[],
  enabled: boolean,
): Promise<number> {
  const line = readCommandLine(spec, args)
  if (line === undefined) return 0
  if (line.words.length === 0) throw usageError(spec, `${enabled ? 'enable' : 'disable'} needs the names of servers`)
  return withService(line.values, async (service) => {
    const servers = []
    for (const name of new Set(line.words)) servers.push(await findStoredServer(service, name))
    for (const { id, name } of servers) {
      await service.updateServer(id, { enabled })
      process.stdout.write(`${toShown(`${enabled ? 'Enabled' : 'Disabled'} the server '${name}'.`)}\n`)
    }
    return 0
  })
}
