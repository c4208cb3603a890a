import { isRecord } from '../base/is-record.ts'
import { parseJsonOr } from '../base/json.ts'
import type { ByteFilter } from '../http/limit-response.ts'

/** Longer events are not joined. A piece of a text is much shorter. */
const eventCharsMax = 8 * 1024
/** An empty line, whichever way lines end. */
const eventEnd = /\r\n\r\n|\n\r?\n|\r\r/

/**
 * Where vendors send the next piece of a text, of a thought, or of the arguments of a call; `[]` is the only item of a list. A text in any
 * other place belongs to something whole: Gemini sends all arguments of a call at once.
 */
const textPaths: ReadonlySet<string> = new Set([
  'delta',
  'delta.text',
  'delta.thinking',
  'delta.partial_json',
  'candidates[].content.parts[].text',
  'choices[].delta.content',
  'choices[].delta.reasoning',
  'choices[].delta.reasoning_content',
  'choices[].delta.reasoning_details[].text',
  'choices[].delta.tool_calls[].function.arguments',
])
/** Fields that number, time, count or pad the events. The last ones apply to a joined event. */
const countPaths: ReadonlySet<string> = new Set([
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
export function joinDeltas(): ByteFilter {
  const joiner = createDeltaJoiner()
  const decoder = new TextDecoder()
  return {
    push: (bytes) => Buffer.from(joiner.push(decoder.decode(bytes, { stream: true }))),
    end: () => Buffer.from(joiner.push(decoder.decode()) + joiner.end()),
  }
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
  let frame: Frame | undefined
  let framed = ''
  let before = ''
  for (const event of events) {
    const text = frame && textIn(frame, event)
    if (text !== undefined) {
      framed += text
      continue
    }
    takeFramed()
    const delta = event.length > eventCharsMax ? undefined : parseDelta(event)
    const longer = last && delta && joinDelta(last, delta)
    if (longer === undefined) {
      close()
      joined.push(event)
      frame = undefined
    } else {
      frame = isContinued ? frame : findFrame(before, event)
      isContinued = true
    }
    last = longer ?? delta
    before = event
  }
  takeFramed()
  close()
  return joined

  function takeFramed(): void {
    const delta = framed && frame && parseDelta(frame.start + framed + frame.end)
    if (last && delta) last = joinDelta(last, delta)
    framed = ''
  }

  /** Writes the last event again if it has become longer. */
  function close(): void {
    if (isContinued && last !== undefined)
      joined[joined.length - 1] = `${last.head}data: ${JSON.stringify(last.data)}`
    isContinued = false
  }
}

/** The only text of an event is between both. Most vendors change nothing else, so their next events need not be parsed. */
interface Frame {
  readonly start: string
  readonly end: string
}

/** The inside of a JSON string. */
const jsonText = /^(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))+$/u

function textIn({ start, end }: Frame, event: string): string | undefined {
  if (!event.startsWith(start) || !event.endsWith(end)) return undefined
  const text = event.slice(start.length, -end.length)
  return jsonText.test(text) ? text : undefined
}

/** `after` continues `before`. */
function findFrame(before: string, after: string): Frame | undefined {
  let differsAt = 0
  while (differsAt < after.length && after[differsAt] === before[differsAt]) differsAt++
  const from = after.lastIndexOf('"', differsAt) + 1
  const frame = { start: after.slice(0, from), end: after.slice(after.indexOf('"', from)) }
  const [some, none] = ['a', ''].map((text) => parseDelta(frame.start + text + frame.end))
  // An event that continues itself without this text has another one, which a frame would lose.
  return some && none && joinDelta(some, some) && !joinDelta(none, none) ? frame : undefined
}

function parseDelta(event: string): Delta | undefined {
  const [, head = '', json = ''] = /^(event:[^\r\n]*\r?\n)?data:([^\r\n]*)$/.exec(event) ?? []
  const data = parseJsonOr(json, undefined)
  return isRecord(data) ? { head, data } : undefined
}

/** The event with the texts of both. Undefined if `after` does not continue the text of `before`. */
function joinDelta(before: Delta, after: Delta): Delta | undefined {
  if (before.head !== after.head) return undefined
  const found = { texts: 0 }
  const data = joinValues(before.data, after.data, '', found)
  return isRecord(data) && found.texts > 0 ? { head: before.head, data } : undefined
}

/**
 * Undefined if the values differ in more than their texts, or if one text ends where another begins, because their order would be lost.
 */
function joinValues(before: unknown, after: unknown, path: string, found: { texts: number }): unknown {
  if (areTexts(path, before, after)) {
    if ((before === '') !== (after === '')) return undefined
    found.texts += Number(after !== '')
    return `${String(before)}${String(after)}`
  }
  if (!isObject(before) || !isObject(after)) return before === after ? after : undefined
  const keys = Object.keys(after)
  if (keys.length !== Object.keys(before).length) return undefined
  // An object without a prototype may have any key.
  const joined: Fields = Array.isArray(after) ? [] : Object.create(null)
  for (const key of keys) {
    if (!Object.hasOwn(before, key)) return undefined
    const inner = pathOf(path, after, key)
    joined[key] = countPaths.has(inner) ? after[key] : joinValues(before[key], after[key], inner, found)
    if (joined[key] === undefined) return undefined
  }
  return joined
}

/**
 * Each of several items has a path of its own: a joined text would change places with that of the next item.
 */
function pathOf(path: string, owner: Fields, key: string): string {
  if (Array.isArray(owner)) return owner.length === 1 ? `${path}[]` : `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

function areTexts(path: string, before: unknown, after: unknown): boolean {
  return textPaths.has(path) && typeof before === 'string' && typeof after === 'string'
}

/** Also true for an array, whose fields are its indexes. */
function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
