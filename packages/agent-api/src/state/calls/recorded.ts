import { messageOf, OstlerError } from '../../base/errors.ts'
import type { CallOutcome } from '../../messages/message.ts'
import { errorResult } from '../../messages/tool.ts'
import { toCallEnd, type CallRecord, type CallRecorder, type CallStart } from './call.ts'

/** Records a call before the work begins, and its end afterwards. An error also ends the call, and is thrown again. */
export async function recorded<T extends CallOutcome>(
  calls: CallRecorder,
  start: CallStart,
  work: (record: Omit<CallRecord, 'ended'>) => Promise<T>,
): Promise<T> {
  const record = await calls.start(start)
  const end = ({ outcome, result }: CallOutcome) => record.ended(toCallEnd(outcome), result)
  try {
    const done = await work(record)
    end(done)
    return done
  } catch (error) {
    end(toFailure(error))
    throw error
  }
}

function toFailure(error: unknown): CallOutcome {
  if (!(error instanceof OstlerError))
    return { outcome: 'error', result: errorResult(`unexpected error: ${messageOf(error)}`) }
  return {
    outcome: error.code === 'mcp.cancelled' ? 'cancelled' : 'error',
    result: errorResult(error.message),
  }
}
