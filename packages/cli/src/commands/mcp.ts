import { bareError, readCommandLine, unknownCommand } from '../command-line/command-line.ts'
import { mcpCommand } from './specs/mcp.ts'

export async function runMcp([action, ...args]: readonly string[]): Promise<number> {
  switch (action) {
    case 'list':
    case 'ls':
      return (await import('./mcp/list.ts')).runMcpList(args)
    case 'get':
    case 'show':
      return (await import('./mcp/get.ts')).runMcpGet(args)
    case 'add':
      return (await import('./mcp/add.ts')).runMcpAdd(args)
    case 'add-json':
      return (await import('./mcp/add-json.ts')).runMcpAddJson(args)
    case 'update':
      return (await import('./mcp/update.ts')).runMcpUpdate(args)
    case 'remove':
    case 'rm':
      return (await import('./mcp/remove.ts')).runMcpRemove(args)
    case 'enable':
      return (await import('./mcp/enable.ts')).runMcpEnable(args)
    case 'disable':
      return (await import('./mcp/enable.ts')).runMcpDisable(args)
    case 'login':
      return (await import('./mcp/login.ts')).runMcpLogin(args)
    case 'logout':
      return (await import('./mcp/logout.ts')).runMcpLogout(args)
    case 'test':
      return (await import('./mcp/test.ts')).runMcpTest(args)
    case 'tools':
      return (await import('./mcp/tools.ts')).runMcpTools(args)
    case 'call':
      return (await import('./mcp/call.ts')).runMcpCall(args)
    case 'resources':
      return (await import('./mcp/resources.ts')).runMcpResources(args)
    case 'read':
      return (await import('./mcp/read.ts')).runMcpRead(args)
    case 'prompts':
      return (await import('./mcp/prompts.ts')).runMcpPrompts(args)
    case 'import':
      return (await import('./mcp/import.ts')).runMcpImport(args)
    case 'export':
      return (await import('./mcp/export.ts')).runMcpExport(args)
    case 'help':
      return args[0] === undefined ? runMcp(['--help']) : runMcp([...args, '--help'])
    default: {
      if (action !== undefined && !action.startsWith('-')) throw unknownCommand(mcpCommand, action)
      if (readCommandLine(mcpCommand, action === undefined ? args : [action, ...args]) === undefined) return 0
      throw bareError(mcpCommand, 'which command?')
    }
  }
}
