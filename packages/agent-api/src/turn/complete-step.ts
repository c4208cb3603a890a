import { OstlerError } from '../base/errors.ts'
import { createMessageId } from '../base/ids.ts'
import type { MeasuredTools } from '../context/estimate-request.ts'
import { streamStep, type StepReply } from './stream-step.ts'
import type { Turn } from './turn.ts'

/** Streams one answer. If it is empty or contains an invalid call, the model is asked once more. */
export async function completeStep(
  turn: Turn,
  tools: MeasuredTools,
  signal: AbortSignal,
): Promise<StepReply> {
  const first = await streamStep(turn, tools, signal).catch((error: unknown) => {
    if (error instanceof OstlerError && error.code === 'model.malformed_call' && !signal.aborted)
      return undefined
    throw error
  })
  if (first !== undefined && !isEmpty(first)) return first
  turn.logger.info('the answer of the model was empty or not valid; asking once more', {
    model: turn.model.id,
  })
  const second = await streamStep(turn, tools, signal)
  if (isEmpty(second)) {
    const text = `${turn.model.vendorName} sent an empty answer twice.`
    await turn.emit({ type: 'text', messageId: createMessageId(), text })
  }
  return second
}

/** Thoughts alone are not an answer. */
function isEmpty({ message, stopReason }: StepReply): boolean {
  if (stopReason !== 'end_turn') return false
  return message.parts.every(
    (part) => part.type === 'thought' || (part.type === 'text' && part.text.trim() === ''),
  )
}
