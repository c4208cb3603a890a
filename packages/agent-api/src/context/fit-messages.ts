import { mapInSlices, nextTurn } from '../base/in-slices.ts'
import { applyChange } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import { estimateMessage, sum } from './estimate-tokens.ts'
import { planTrimming } from './plan-compaction.ts'

/** If shorter results are not enough, the oldest messages are left out. */
export async function fitMessages(
  messages: readonly Message[],
  tokensMax: number,
): Promise<readonly Message[]> {
  const excess = sum(await mapInSlices(messages, estimateMessage)) - tokensMax
  if (excess <= 0) return messages
  // Each pass over a long conversation gets its own turn of the event loop.
  await nextTurn()
  const results = planTrimming(messages, excess)
  await nextTurn()
  const shortened = applyChange(messages, { type: 'shortened', results })
  let left = sum(await mapInSlices(shortened, estimateMessage)) - tokensMax
  if (left <= 0) return shortened
  // The beginning says what the person wants, and the end says how things stand.
  await nextTurn()
  const from = shortened.findIndex((message, index) => {
    if (index === 0) return false
    if (left <= 0 && message.role !== 'tool') return true
    left -= estimateMessage(message)
    return false
  })
  return [...shortened.slice(0, 1), ...(from === -1 ? [] : shortened.slice(from))]
}
