import type { TurnEvent } from '../messages/turn-event.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { hiddenOpenEnd, stripHidden } from '../base/strip-hidden.ts'
import { chainFilters, type TextFilter } from './text-filter.ts'
import { cleaning } from '../redaction/text-cleaner.ts'
import { cleanOutputs } from '../redaction/redact-result.ts'
import type { ToolOutput } from '../messages/tool.ts'
import { createImageFilter, withoutRemoteImages, type RemoteImages } from './remote-images.ts'

type Chunk = Extract<TurnEvent, { type: 'text' | 'thought' }>

/**
 * Prepares a turn's events for display: removes hidden characters and secrets, and converts remote images. If a streamed text may end in
 * the start of one of these, that part waits for the next chunk.
 */
export function createEventRedactor(
  redactor: Redactor,
  remoteImages: RemoteImages = 'show',
): (event: TurnEvent) => readonly TurnEvent[] {
  let open: { readonly last: Chunk; readonly filter: TextFilter } | undefined

  return (event) => {
    if (event.type !== 'text' && event.type !== 'thought') return [...close(), showEvent(event)]
    const isNext = open?.last.type === event.type && open.last.messageId === event.messageId
    const before = isNext ? [] : close()
    const filter = isNext && open !== undefined ? open.filter : createFilter()
    open = { last: event, filter }
    return [...before, ...withText(event, filter.push(event.text))]
  }

  function close(): readonly Chunk[] {
    const closed = open
    open = undefined
    return closed === undefined ? [] : withText(closed.last, closed.filter.end())
  }

  function createFilter(): TextFilter {
    const images = remoteImages === 'text' ? [createImageFilter()] : []
    return chainFilters([createHiddenFilter(), createSecretFilter(redactor), ...images])
  }

  function showEvent(event: Exclude<TurnEvent, Chunk>): TurnEvent {
    const redacted = redactEvent(event, redactor)
    return remoteImages === 'text' ? withoutImages(redacted) : redacted
  }
}

function withText(chunk: Chunk, text: string): readonly Chunk[] {
  return text === '' ? [] : [{ ...chunk, text }]
}

export function createHiddenFilter(): TextFilter {
  return createHoldingFilter(stripHidden, (text) => {
    const length = text.length - hiddenOpenEnd(text)
    return { length, shown: stripHidden(text.slice(0, length)) }
  })
}

export function createSecretFilter(redactor: Redactor): TextFilter {
  return createHoldingFilter(redactor.redact, (text) => {
    const length = text.length - redactor.openEnd(text)
    const [closed, rest] = [text.slice(0, length), text.slice(length)]
    const shown = redactor.redact(closed)
    // If one secret overlaps the next, the first must not be cut.
    const isClosed = rest === '' || shown + redactor.redact(rest) === redactor.redact(text)
    return isClosed ? { length, shown } : { length: 0, shown: '' }
  })
}

/** `closedPartOf` returns how much of a text can be judged already, and how it is shown. The rest waits. */
function createHoldingFilter(
  clean: (text: string) => string,
  closedPartOf: (text: string) => { readonly length: number; readonly shown: string },
): TextFilter {
  let open = ''
  return {
    push(text) {
      open += text
      const { length, shown } = closedPartOf(open)
      open = open.slice(length)
      return shown
    },
    end() {
      const rest = open
      open = ''
      return clean(rest)
    },
  }
}

function withoutImages(event: TurnEvent): TurnEvent {
  if (event.type === 'compaction' && event.summary !== undefined)
    return { ...event, summary: withoutRemoteImages(event.summary) }
  if (event.type === 'tool_call' && event.call.content !== undefined)
    return { ...event, call: { ...event.call, content: event.call.content.map(withoutImagesIn) } }
  if (event.type !== 'tool_call_update') return event
  const { content, rawOutput } = event.update
  const update = {
    ...event.update,
    ...(content !== undefined && { content: content.map(withoutImagesIn) }),
    ...(typeof rawOutput === 'string' && { rawOutput: withoutRemoteImages(rawOutput) }),
  }
  return { ...event, update }
}

function withoutImagesIn(output: ToolOutput): ToolOutput {
  if (output.type === 'text') return { ...output, text: withoutRemoteImages(output.text) }
  if (output.type === 'resource_link') {
    const { name, title, description } = output
    return {
      ...output,
      name: withoutRemoteImages(name),
      ...(typeof title === 'string' && { title: withoutRemoteImages(title) }),
      ...(typeof description === 'string' && { description: withoutRemoteImages(description) }),
    }
  }
  if (output.type !== 'resource' || !('text' in output.resource)) return output
  return { ...output, resource: { ...output.resource, text: withoutRemoteImages(output.resource.text) } }
}

/** Ids, names and kinds stay unchanged, because other data refers to them. */
function redactEvent(event: Exclude<TurnEvent, Chunk>, redactor: Redactor): TurnEvent {
  switch (event.type) {
    case 'tool_call': {
      const { title, rawInput, content, ...call } = event.call
      const shown = content !== undefined && { content: cleanOutputs(content, redactor) }
      return {
        ...event,
        call: { ...call, title: redactor.redact(title), rawInput: redactValue(rawInput, redactor), ...shown },
      }
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
    case 'plan':
      return {
        ...event,
        entries: event.entries.map((entry) => ({ ...entry, content: redactor.redact(entry.content) })),
      }
    case 'server_report': {
      const { report } = event
      const failed = report.failed.map(({ server, reason }) => ({ server, reason: redactor.redact(reason) }))
      return {
        ...event,
        report: { ...report, failed, warnings: report.warnings.map((warning) => redactor.redact(warning)) },
      }
    }
    case 'compaction': {
      const { summary, error } = event
      return {
        ...event,
        ...(summary !== undefined && { summary: cleaning(redactor).redact(summary) }),
        ...(error !== undefined && { error: redactor.redact(error) }),
      }
    }
    case 'usage':
    case 'turn_end':
      return event
  }
}
