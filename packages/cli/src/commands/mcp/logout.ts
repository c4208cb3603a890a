import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { toShown } from '../../terminal/format-table.ts'
import { mcpLogoutCommand } from '../specs/mcp-logins.ts'
import { withService } from './with-service.ts'

export async function runMcpLogout(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpLogoutCommand, args)
  if (line === undefined) return 0
  const [target, ...others] = line.words
  if (target === undefined || others.length > 0) throw usageError(mcpLogoutCommand, 'logout needs the name or the URL of one server')
  return withService(line.values, async (service, signal) => {
    const { wasLoggedIn, warning } = await service.logOut(target, { signal })
    process.stdout.write(`${toShown(wasLoggedIn ? `Logged out of '${target}'.` : `You were not logged in to '${target}'.`)}\n`)
    if (warning !== undefined) process.stderr.write(`ostler: ${toShown(warning)}\n`)
    return 0
  })
}
