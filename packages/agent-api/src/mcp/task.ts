import { OstlerError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'

/** A call that runs on in its server, up to revision 2025-11-25. It is asked for until it ends, and outlives a connection. */
export interface McpTask {
  readonly id: string
  /** `ended`: its result can be fetched. `asking`: it waits for an answer, which its server asks for while the result is fetched. */
  readonly state: 'working' | 'asking' | 'ended'
  /** The server's description of the task's current state. */
  readonly message: string | undefined
  readonly pollMs: number
}

const idCharsMax = 1_000
const pollDefaultMs = 1_000
const pollMinMs = 100
const pollMaxMs = 10_000

const states: Readonly<Record<string, McpTask['state']>> = {
  working: 'working',
  input_required: 'asking',
  completed: 'ended',
  failed: 'ended',
  cancelled: 'ended',
}

export function parseTask(raw: unknown): McpTask {
  const { taskId, status, statusMessage, pollInterval } = isRecord(raw) ? raw : {}
  const state = typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > idCharsMax || state === undefined)
    throw new OstlerError('mcp.call_failed', 'the server answered with an invalid task')
  return {
    id: taskId,
    state,
    message: typeof statusMessage === 'string' && statusMessage !== '' ? statusMessage : undefined,
    pollMs: typeof pollInterval === 'number' ? Math.min(Math.max(pollInterval, pollMinMs), pollMaxMs) : pollDefaultMs,
  }
}
