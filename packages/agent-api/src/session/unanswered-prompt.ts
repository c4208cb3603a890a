import type { OstlerError } from '../base/errors.ts'
import { createMessageId } from '../base/ids.ts'
import { isSummary, type Conversation } from '../messages/conversation.ts'
import { isSilent } from '../messages/message.ts'
import { binaryLength } from '../messages/tool-output.ts'

const neverAnswered = '[This message was not answered: the request failed or was cancelled.]'
const cutOff = '[The answer ended here: it failed or was cancelled.]'

/** Closes a turn that has no answer, so that the model does not read its prompt and the next one as one message. */
export function closeLastTurn({ messages, add }: Conversation): void {
  // An answer that was cut off while the model was thinking is not sent back to vendors.
  const last = messages.findLast((message) => message.role !== 'assistant' || !isSilent(message))
  if (last === undefined || last.role === 'assistant' || isSummary(last)) return
  const text = last.role === 'tool' ? cutOff : neverAnswered
  add({ role: 'assistant', id: createMessageId(), parts: [{ type: 'text', text }] })
}

/** Removes what a vendor refused, because it would refuse every later request as well. */
export function withdrawRefused({ messages, change }: Conversation, { code, data }: OstlerError): void {
  if (code !== 'model.context_exceeded' && data['refusesMessage'] !== true) return
  const last = messages.at(-1)
  if (last?.role === 'tool') {
    const withFiles = last.results.filter(({ result }) =>
      result.content.some((output) => binaryLength(output) > 0),
    )
    if (withFiles.length > 0)
      change({ type: 'shortened', results: withFiles.map(({ id }) => ({ call: id, chars: textCharsKept })) })
    return
  }
  const before = messages.findLastIndex((message) => message.role !== 'user' || isSummary(message))
  if (before < messages.length - 1) change({ type: 'withdrawn', last: messages.length - 1 - before })
}

/** Long enough for any text, so that only the attachments are left out. */
const textCharsKept = 1_000_000
