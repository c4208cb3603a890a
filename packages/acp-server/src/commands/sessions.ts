import { readCommandLine, usageError } from '../command-line.ts'
import { sessionsCommand } from './specs/sessions.ts'

export async function runSessions([action, ...args]: readonly string[]): Promise<number> {
  switch (action) {
    case 'list':
      return (await import('./sessions/list.ts')).runSessionsList(args)
    case 'show':
      return (await import('./sessions/show.ts')).runSessionsShow(args)
    case 'delete':
      return (await import('./sessions/delete.ts')).runSessionsDelete(args)
    case 'export':
      return (await import('./sessions/export.ts')).runSessionsExport(args)
    default: {
      if (action !== undefined && !action.startsWith('-')) throw usageError(sessionsCommand, `there is no 'sessions ${action}'`)
      if (readCommandLine(sessionsCommand, action === undefined ? args : [action, ...args]) === undefined) return 0
      throw usageError(sessionsCommand, 'list, show, delete or export?')
    }
  }
}
