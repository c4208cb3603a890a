import { mapInSlices } from '../base/in-slices.ts'
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
  const shortened = applyChange(messages, { type: 'shortened', results: planTrimming(messages, excess) })
  let left = sum(await mapInSlices(shortened, estimateMessage)) - tokensMax
  if (left <= 0) return shortened
  // The beginning says what the person wants, and the end says how things stand.
  const [first, ...others] = shortened
  const from = others.findIndex((message) => {
    if (left <= 0 && message.role !== 'tool') return true
    left -= estimateMessage(message)
    return false
  })
  return first === undefined ? [] : [first, ...(from === -1 ? [] : others.slice(from))]
}
