import { isRecord } from '../base/is-record.ts'
import { parseJsonOr } from '../base/json.ts'

/** Longer events are not joined. A piece of a text is much shorter. */
const eventCharsMax = 8 * 1024
/** An empty line, whichever way lines end. */
const eventEnd = /\r\n\r\n|\n\r?\n|\r\r/

/** The fields in which vendors send the next piece of a text, of a thought, or of the arguments of a call. */
const textFields: ReadonlySet<string> = new Set([
  'content',
  'reasoning_content',
  'reasoning',
  'text',
  'thinking',
  'delta',
  'partial_json',
  'arguments',
])
/** Fields that number, time, count or pad the events. The last ones apply to a joined event. */
const countFields: ReadonlySet<string> = new Set([
  'sequence_number',
  'created',
  'obfuscation',
  'usage',
  'usageMetadata',
])

/**
 * Joins the pieces of a text that arrived together into one event, so that they are parsed, saved and shown once. Everything else in a
 * stream of events stays as it is, and so does an event that arrives alone.
 */
export function joinDeltas(response: Response): Response {
  const isEvents = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  if (response.body === null || !isEvents) return response
  const { status, statusText, headers } = response
  const joiner = createDeltaJoiner()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const joined = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const events = joiner.push(decoder.decode(bytes, { stream: true }))
      if (events !== '') controller.enqueue(encoder.encode(events))
    },
    flush(controller) {
      controller.enqueue(encoder.encode(joiner.push(decoder.decode()) + joiner.end()))
    },
  })
  return new Response(response.body.pipeThrough(joined), { status, statusText, headers })
}

/** Takes a stream of events in pieces, and returns it in pieces. Holds back the beginning of an event until its end. */
interface DeltaJoiner {
  push(text: string): string
  end(): string
}

export function createDeltaJoiner(): DeltaJoiner {
  /** The beginning of an event whose end has not arrived. */
  let rest = ''
  /** True if the beginning of this event was too long to wait for the end. */
  let isPassedOn = false

  return {
    push(text) {
      const events = (rest + text).split(eventEnd)
      rest = events.pop() ?? ''
      const ends = isPassedOn ? events.splice(0, 1) : []
      isPassedOn &&= ends.length === 0
      const complete = [...ends, ...joinEvents(events)].map((event) => `${event}\n\n`).join('')
      isPassedOn ||= rest.length > eventCharsMax
      return isPassedOn ? complete + takeRest() : complete
    },
    end: takeRest,
  }

  function takeRest(): string {
    const taken = rest
    rest = ''
    return taken
  }
}

/** An event whose text the next events may continue. */
interface Delta {
  /** The line with its name, if it has one. */
  readonly head: string
  readonly data: Fields
}

type Fields = Record<string, unknown>

function joinEvents(events: readonly string[]): readonly string[] {
  if (events.length < 2) return events
  const joined: string[] = []
  let last: Delta | undefined
  let isContinued = false
  for (const event of events) {
    const delta = parseDelta(event)
    if (last !== undefined && delta !== undefined && continues(last, delta)) {
      append(last.data, delta.data)
      isContinued = true
      continue
    }
    close()
    joined.push(event)
    last = delta
  }
  close()
  return joined

  /** Writes the last event again if it has become longer. */
  function close(): void {
    if (isContinued && last !== undefined)
      joined[joined.length - 1] = `${last.head}data: ${JSON.stringify(last.data)}`
    isContinued = false
  }
}

function parseDelta(event: string): Delta | undefined {
  if (event.length > eventCharsMax) return undefined
  const [, head = '', json = ''] = /^(event:[^\r\n]*\r?\n)?data:([^\r\n]*)$/.exec(event) ?? []
  const data = parseJsonOr(json, undefined)
  return isRecord(data) ? { head, data } : undefined
}

function continues(before: Delta, after: Delta): boolean {
  return before.head === after.head && (countTexts(before.data, after.data) ?? 0) > 0
}

/** The number of texts in which the values differ. Undefined if they differ in anything else. */
function countTexts(before: unknown, after: unknown): number | undefined {
  if (!isObject(before) || !isObject(after)) return before === after ? 0 : undefined
  const keys = Object.keys(after)
  if (keys.length !== Object.keys(before).length) return undefined
  let count = 0
  for (const key of keys) {
    if (!Object.hasOwn(before, key)) return undefined
    if (countFields.has(key)) continue
    const inner = isText(key, before, after) ? 1 : countTexts(before[key], after[key])
    if (inner === undefined) return undefined
    count += inner
  }
  return count
}

/** Both have the same fields. */
function append(before: Fields, after: Fields): void {
  for (const [key, value] of Object.entries(after)) {
    const whole = before[key]
    if (countFields.has(key)) before[key] = value
    else if (isText(key, before, after)) before[key] = `${String(whole)}${String(value)}`
    else if (isObject(whole) && isObject(value)) append(whole, value)
  }
}

function isText(key: string, before: Fields, after: Fields): boolean {
  return textFields.has(key) && typeof before[key] === 'string' && typeof after[key] === 'string'
}

/** Also true for an array, whose fields are its indexes. */
function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
