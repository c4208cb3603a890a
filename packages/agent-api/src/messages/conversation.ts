import type { Message, ToolCallOutcome, UserMessage } from './message.ts'
import type { MessageId, ToolCallId } from '../base/ids.ts'
import { text } from './content.ts'
import { toPlainText } from './tool-output.ts'

/** The messages that the model reads, in order. Reports each message and each change to its owner. */
export interface Conversation {
  readonly messages: readonly Message[]
  add(message: Message): void
  change(change: ContextChange): void
}

interface ConversationListener {
  readonly onAdded?: (message: Message) => void
  readonly onChanged?: (change: ContextChange) => void
}

export function createConversation(
  held: { messages: readonly Message[] },
  { onAdded, onChanged }: ConversationListener = {},
): Conversation {
  return {
    get messages() {
      return held.messages
    },
    add(message) {
      held.messages = [...held.messages, message]
      onAdded?.(message)
    },
    change(change) {
      held.messages = applyChange(held.messages, change)
      onChanged?.(change)
    },
  }
}

/**
 * A change to what the model reads of its conversation. The history keeps all messages and each change in order, so the same conversation
 * can be restored. The person's view never changes.
 */
export type ContextChange =
  | { readonly type: 'cleared' }
  /** The last messages were refused by the vendor, and would be refused again. */
  | { readonly type: 'withdrawn'; readonly last: number }
  | { readonly type: 'shortened'; readonly results: readonly ShortenedResult[] }
  | Compacted
  | { readonly type: 'briefed'; readonly text: string; readonly servers: Texts; readonly told: Texts }
  | { readonly type: 'told'; readonly told: Texts }

type Texts = Readonly<Record<string, string>>

export interface ShortenedResult {
  readonly call: ToolCallId
  readonly chars: number
}

/** Counts from the end, because messages of a tool have no ID. */
export interface Compacted {
  readonly type: 'compacted'
  readonly summary: string
  readonly kept: number
  /** Position from the end of an earlier prompt that is also kept: the one that is being answered. */
  readonly prompt?: number
}

const summaryPrefix = 'summary_'
const notePrefix = 'note_'

export function applyChange(messages: readonly Message[], change: ContextChange): readonly Message[] {
  switch (change.type) {
    case 'cleared':
      return []
    case 'withdrawn':
      return messages.slice(0, Math.max(0, messages.length - change.last))
    case 'briefed':
    case 'told':
      return messages
    case 'shortened':
      return shortenResults(messages, change.results)
    case 'compacted': {
      const { summary, kept, prompt } = change
      const pinned = prompt === undefined ? undefined : messages.at(-prompt)
      return [
        toSummaryMessage(summary),
        ...(pinned === undefined ? [] : [pinned]),
        ...messages.slice(Math.max(0, messages.length - kept)),
      ]
    }
  }
}

export function toNote(id: string, value: string): UserMessage {
  return { role: 'user', id: `${notePrefix}${id}`, content: [text(value)] }
}

/** True for a message of the person that begins a turn. Notes and summaries have the same role, for the vendors. */
export function isPrompt(message: Message): boolean {
  return message.role === 'user' && !hasPrefix(message.id, notePrefix) && !isSummary(message)
}

export function isSummary(message: Message): boolean {
  return message.role === 'user' && hasPrefix(message.id, summaryPrefix)
}

/** Stored messages may lack their ID. */
function hasPrefix(id: MessageId | undefined, prefix: string): boolean {
  return id?.startsWith(prefix) === true
}

function toSummaryMessage(summary: string): UserMessage {
  const beginning =
    'The earlier part of this conversation was replaced by this summary. The person still sees all of it.'
  return {
    role: 'user',
    id: `${summaryPrefix}0`,
    content: [text(`${beginning}\n\n<summary>\n${summary}\n</summary>`)],
  }
}

function shortenResults(
  messages: readonly Message[],
  results: readonly ShortenedResult[],
): readonly Message[] {
  const charsOf = new Map(results.map(({ call, chars }) => [call, chars]))
  return messages.map((message) => {
    if (message.role !== 'tool' || !message.results.some(({ id }) => charsOf.has(id))) return message
    return {
      ...message,
      results: message.results.map((outcome) => shorten(outcome, charsOf.get(outcome.id))),
    }
  })
}

function shorten(outcome: ToolCallOutcome, charsMax: number | undefined): ToolCallOutcome {
  if (charsMax === undefined) return outcome
  const whole = outcome.result.content.map(toPlainText).join('\n')
  // A cut within a surrogate pair leaves half a character.
  const kept = whole.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
  const leftOut = whole.length - kept.length
  const note =
    leftOut === 0
      ? '[Attachments of this result were left out to make room. Repeat the call if you need them.]'
      : `[${leftOut} of ${whole.length} characters of this result were left out to make room. Repeat the call if you need them.]`
  const { isError } = outcome.result
  return { ...outcome, result: { isError, content: [text(kept === '' ? note : `${kept}\n${note}`)] } }
}

/** The text that the model gets besides the conversation. Stored, so that a loaded session begins with the same words. */
export interface Briefing {
  /** The part of the system prompt that was written when the session began. */
  readonly text: string
  readonly servers: Readonly<Record<string, string>>
  /** Hashes of the instructions that the model can still read: of files by path, and of servers that connected later. */
  readonly told: Readonly<Record<string, string>>
  /** True if messages that may have contained it were left out since. It is then written again. */
  readonly isStale: boolean
}

export function afterBriefingChange(
  briefing: Briefing | undefined,
  change: ContextChange,
): Briefing | undefined {
  switch (change.type) {
    case 'briefed': {
      const { text, servers, told } = change
      return { text, servers, told, isStale: false }
    }
    case 'told':
      return briefing && { ...briefing, told: { ...briefing.told, ...change.told } }
    case 'cleared':
    case 'compacted':
    case 'withdrawn':
      return briefing && { ...briefing, told: {}, isStale: true }
    case 'shortened':
      return briefing
  }
}
