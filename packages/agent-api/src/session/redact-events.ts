import type { TurnEvent } from '../messages/turn-event.ts'
import { redactValue } from '../secrets/redact-value.ts'
import type { Redactor } from '../secrets/redact.ts'
import { cleanOutputs } from '../tools/tool-result.ts'

type Chunk = Extract<TurnEvent, { type: 'text' | 'thought' }>

/**
 * Strikes secrets from what a turn shows, those too that come in pieces: the end of a text that may be the beginning of a secret is kept
 * back until it is known what it is. So nothing is ever shown or written down of which only the next piece would tell what it was.
 */
export function createEventRedactor(redactor: Redactor): (event: TurnEvent) => readonly TurnEvent[] {
  let open: Chunk | undefined

  return (event) => {
    if (!isChunk(event)) {
      const rest = open
      open = undefined
      return [...(rest === undefined ? [] : [redactChunk(rest)]), redactEvent(event, redactor)]
    }
    const isNext = open?.type === event.type && open.messageId === event.messageId
    const before = open !== undefined && !isNext ? [redactChunk(open)] : []
    const text = `${isNext ? open?.text : ''}${event.text}`
    const closedLength = closedLengthOf(text)
    open = closedLength === text.length ? undefined : { ...event, text: text.slice(closedLength) }
    return closedLength === 0 ? before : [...before, redactChunk({ ...event, text: text.slice(0, closedLength) })]
  }

  function closedLengthOf(text: string): number {
    const length = text.length - redactor.openEnd(text)
    const [closed, rest] = [text.slice(0, length), text.slice(length)]
    // Where one secret ends as another begins, no cut may go through the first.
    return redactor.redact(closed) + redactor.redact(rest) === redactor.redact(text) ? length : 0
  }

  function redactChunk(chunk: Chunk): Chunk {
    return { ...chunk, text: redactor.redact(chunk.text) }
  }
}

/** Ids, names and kinds stay as they are: others refer to them. */
function redactEvent(event: Exclude<TurnEvent, Chunk>, redactor: Redactor): TurnEvent {
  switch (event.type) {
    case 'tool_call': {
      const { call } = event
      return { ...event, call: { ...call, rawInput: redactValue(call.rawInput, redactor) } }
    }
    case 'tool_call_update': {
      const { content, rawOutput, title } = event.update
      const update = {
        ...event.update,
        ...(title !== undefined && { title: redactor.redact(title) }),
        ...(content !== undefined && { content: cleanOutputs(content, redactor) }),
        ...(rawOutput !== undefined && { rawOutput: redactValue(rawOutput, redactor) }),
      }
      return { ...event, update }
    }
    case 'server_report': {
      const { report } = event
      const failed = report.failed.map(({ server, reason }) => ({ server, reason: redactor.redact(reason) }))
      return { ...event, report: { ...report, failed, warnings: report.warnings.map((warning) => redactor.redact(warning)) } }
    }
    case 'usage':
    case 'turn_end':
      return event
  }
}

function isChunk(event: TurnEvent): event is Chunk {
  return event.type === 'text' || event.type === 'thought'
}
