import type { SessionSummary } from '../../packages/agent-api/src/state/sessions/session-entry.ts'
import type { CallEnd } from '../../packages/agent-api/src/state/calls/call.ts'
import type { State } from '../../packages/agent-api/src/state/state.ts'
import type { Logger, LogLevel } from '../../packages/agent-api/src/base/logger.ts'

export interface LogLines {
  readonly logger: Logger
  readonly lines: readonly { readonly level: LogLevel; readonly message: string }[]
  /** Messages at least as severe as a warning. */
  warnings(): readonly string[]
}

/** A logger that keeps its messages. */
export function createLogLines(): LogLines {
  const lines: { level: LogLevel; message: string }[] = []
  const log = (level: LogLevel) => (message: string) => void lines.push({ level, message })
  return {
    logger: { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') },
    lines,
    warnings: () =>
      lines.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message),
  }
}

export function newSession(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  const now = new Date().toISOString()
  return {
    id,
    agent: 'default',
    cwd: '/projects/one',
    additionalDirectories: [],
    title: 'A session',
    model: null,
    mode: null,
    thoughtLevel: null,
    turns: 0,
    createdAt: now,
    updatedAt: now,
    ...more,
  }
}

export interface CallToRecord {
  readonly id: string
  readonly agent?: string
  readonly sessionId?: string
  readonly turn?: number
  readonly server?: string | null
  readonly serverId?: string
  readonly tool?: string
  readonly arguments?: unknown
  /** The call stays open if undefined. */
  readonly end?: CallEnd
  readonly text?: string
}

/** Records a call from its start to its end. */
export async function recordCall(history: State, call: CallToRecord): Promise<void> {
  const recorder = history.calls.recorder({
    agent: call.agent ?? 'default',
    sessionId: call.sessionId,
    turn: call.turn,
  })
  const { id, server = 'files', serverId, tool = 'read', arguments: args = {} } = call
  const record = await recorder.start({ id, server, serverId, tool, arguments: args })
  if (call.end === undefined) return
  if (call.end === 'success' || call.end === 'error') {
    record.decided('allow', { by: 'mode', how: 'auto' })
    record.running()
  }
  record.ended(call.end, {
    isError: call.end !== 'success',
    content: [{ type: 'text', text: call.text ?? 'done' }],
  })
}
