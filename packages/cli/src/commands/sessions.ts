import { bareError, readCommandLine, unknownCommand } from '../command-line/command-line.ts'
import { sessionsCommand } from './specs/sessions.ts'

export async function runSessions([action, ...args]: readonly string[]): Promise<number> {
  switch (action) {
    case 'list':
    case 'ls':
      return (await import('./sessions/list.ts')).runSessionsList(args)
    case 'show':
      return (await import('./sessions/show.ts')).runSessionsShow(args)
    case 'delete':
    case 'rm':
      return (await import('./sessions/delete.ts')).runSessionsDelete(args)
    case 'export':
      return (await import('./sessions/export.ts')).runSessionsExport(args)
    case 'help':
      return args[0] === undefined ? runSessions(['--help']) : runSessions([...args, '--help'])
    default: {
      if (action !== undefined && !action.startsWith('-')) throw unknownCommand(sessionsCommand, action)
      if (readCommandLine(sessionsCommand, action === undefined ? args : [action, ...args]) === undefined) return 0
      throw bareError(sessionsCommand, 'list, show, delete or export?')
    }
  }
}
