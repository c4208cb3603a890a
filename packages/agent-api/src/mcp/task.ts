import { OstlerError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'

/** A call that keeps running in its server, up to revision 2025-11-25. Ostler polls it until it ends. It outlives a connection. */
export interface McpTask {
  readonly id: string
  /**
   * `ended`: its result can be fetched. `asking`: it waits for the person; its server asks the question while the result is being fetched.
   */
  readonly state: 'working' | 'asking' | 'ended'
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
    pollMs:
      typeof pollInterval === 'number'
        ? Math.min(Math.max(pollInterval, pollMinMs), pollMaxMs)
        : pollDefaultMs,
  }
}
