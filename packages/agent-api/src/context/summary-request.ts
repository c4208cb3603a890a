import { createMessageId } from '../base/ids.ts'
import { isPrompt, isSummary } from '../messages/context-change.ts'
import { text } from '../messages/content.ts'
import type { Message, UserMessage } from '../messages/message.ts'

const promptLinesMax = 40
const promptCharsMax = 240
const earlierCharsMax = 6_000

/** Asks for the summary at the end of the conversation, so that the vendor has everything before it in its cache. */
export function toSummaryRequest(wordsMax: number, keep: string | undefined): UserMessage {
  const wish = keep === undefined || keep === '' ? '' : `\nThe person asks you to keep in particular: ${keep}`
  return {
    role: 'user',
    id: createMessageId(),
    content: [text(`${instruction} Use at most ${wordsMax} words.${wish}`)],
  }
}

const instruction = `Write a summary of this conversation now. It will replace the messages above, so the work must be able to go on from it alone. Call no tools. Write only the summary, with exactly these headings:

## Goal
What the person wants, and every wish, limit and fact they gave that still holds. Keep names, numbers, paths and quotes exactly.
## Decisions
What was decided and why. What was tried and did not work.
## Files
Each file that was read, changed or created: its path, and what matters about it.
## State
What is done and how it was checked. What is unfinished. Commands, errors and values that are still needed.
## Next steps
What to do next, in order.

If the conversation begins with an earlier summary, carry over everything in it that may still matter.`

/** A plain summary, for when the model cannot write one: the earlier summary, and the beginnings of the person's prompts. */
export function toPlainSummary(messages: readonly Message[]): string {
  const earlier = messages.filter(isSummary).map(textOf).join('\n')
  const prompts = messages
    .filter(isPrompt)
    .map((message) => `- ${textOf(message).replace(/\s+/g, ' ').trim().slice(0, promptCharsMax)}`)
  const shown =
    prompts.length <= promptLinesMax
      ? prompts
      : [...prompts.slice(0, 10), '- …', ...prompts.slice(10 - promptLinesMax)]
  return [
    ...(earlier === '' ? [] : [earlier.slice(0, earlierCharsMax)]),
    'The earlier messages were left out to make room, and no summary of them could be written. The person wrote:',
    ...shown,
  ].join('\n')
}

function textOf(message: Message): string {
  return message.role === 'user'
    ? message.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
    : ''
}
