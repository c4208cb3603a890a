import { createCompactionId } from '../base/ids.ts'
import { nextTurn } from '../base/in-slices.ts'
import { measureMessages, type RequestFrame } from './estimate-tokens.ts'
import { planCompaction } from './plan-compaction.ts'
import { changeContext, plannedSize, tokensUsed, type RoomPorts } from './room-ports.ts'
import { toPlainSummary, writeSummary } from './write-summary.ts'

interface CompactionWish {
  readonly isOpen: boolean
  /** True if the next request will not fit. Then messages are left out even if the model writes no summary. */
  readonly isForced: boolean
  readonly keep?: string
}

/**
 * Replaces the older messages with a summary that the model writes. The messages stay as they are until the summary is complete. If the
 * model cannot write one and there is no room left, a plain summary is used, so that the conversation can continue.
 */
export async function compact(
  ports: RoomPorts,
  frame: RequestFrame,
  wish: CompactionWish,
  signal: AbortSignal,
): Promise<'compacted' | 'too_few' | 'failed'> {
  const { conversation, emit } = ports
  const { messages } = conversation
  await measureMessages(messages)
  // Each pass over a long conversation gets its own turn of the event loop.
  await nextTurn()
  const plan = planCompaction(messages, plannedSize(ports, frame), wish.isOpen)
  if (plan === undefined) return 'too_few'
  await nextTurn()
  const id = createCompactionId()
  const tokensBefore = tokensUsed(ports, frame)
  await emit({ type: 'compaction', id, status: 'in_progress' })
  const replaced = messages.slice(0, messages.length - plan.kept)
  const written = await writeSummary(ports, frame, { messages: replaced, keep: wish.keep }, signal)
  if (signal.aborted) {
    await emit({ type: 'compaction', id, status: 'cancelled' })
    return 'failed'
  }
  if ('error' in written && !wish.isForced) {
    await emit({ type: 'compaction', id, status: 'failed', error: written.error })
    return 'failed'
  }
  const summary = 'text' in written ? written.text : toPlainSummary(replaced)
  await changeContext(ports, frame, { type: 'compacted', summary, ...plan })
  const tokensAfter = tokensUsed(ports, frame)
  const problem = 'text' in written ? {} : { error: `The model wrote no summary. ${written.error}` }
  await emit({ type: 'compaction', id, status: 'completed', summary, tokensBefore, tokensAfter, ...problem })
  return 'compacted'
}
