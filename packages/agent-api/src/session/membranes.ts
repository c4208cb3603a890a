import type { Strike, TextCleaner } from '../base/clean-text.ts'
import { chainFilters, type TextFilter } from './text-filter.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import { strikeWith } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { passwordsIn, strikeCalls } from '../redaction/strike-arguments.ts'
import { createTextCleaner } from '../redaction/text-cleaner.ts'
import { createCallMembrane, type CallMembrane } from '../tools/call-membrane.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { createEventRedactor, createHiddenFilter, createSecretFilter } from './redact-events.ts'
import type { RemoteImages } from './remote-images.ts'

/** Everything that redacts secrets in sessions. Created with the redactor; the rest of a session does not know it. */
export interface Membranes {
  /** In: texts of files, names of folders, and the parts that are shown of long texts. */
  readonly texts: TextCleaner
  /** In: the calls of a model, and the results of tools. */
  readonly calls: CallMembrane
  /** In: a result that is stored in full, part by part. */
  readonly openStored: () => TextFilter
  /** Out: the events of one prompt. */
  readonly openEvents: () => (event: TurnEvent) => readonly TurnEvent[]
  /** Out: a message for the history, without the arguments that these tools mark as secret. */
  readonly message: (message: Message, tools: () => readonly OfferedTool[]) => Message
  /** Out: titles, and questions that are not about a call. */
  readonly strike: Strike
}

export function createMembranes(redactor: Redactor, remoteImages: RemoteImages): Membranes {
  return {
    texts: createTextCleaner(redactor),
    calls: createCallMembrane(redactor),
    openStored: () => chainFilters([createHiddenFilter(), createSecretFilter(redactor)]),
    openEvents: () => createEventRedactor(redactor, remoteImages),
    message: (message, tools) =>
      strikeCalls(message, new Set(tools().flatMap(({ tool }) => [...passwordsIn(tool.inputSchema)]))),
    strike: strikeWith(redactor),
  }
}
