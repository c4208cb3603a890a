import { describe, expect, test } from 'vitest'
import { processBudget } from '../../../packages/agent-api/src/http/byte-budget.ts'
import { limitResponse } from '../../../packages/agent-api/src/http/limit-response.ts'
import { createDeltaJoiner, joinDeltas } from '../../../packages/agent-api/src/provider/join-deltas.ts'
import { toSse, type Frame } from '../../support/loopback-model/wire.ts'
import { anthropicWire } from '../../support/loopback-model/wires/anthropic.ts'
import { googleWire } from '../../support/loopback-model/wires/google.ts'
import { openaiChatWire } from '../../support/loopback-model/wires/openai-chat.ts'
import { openaiResponsesWire } from '../../support/loopback-model/wires/openai-responses.ts'

const wires = { anthropicWire, googleWire, openaiChatWire, openaiResponsesWire }

function join(pieces: readonly string[]): string {
  const joiner = createDeltaJoiner()
  return pieces.map((piece) => joiner.push(piece)).join('') + joiner.end()
}

/** As it comes from a vendor. */
function read(body: BodyInit, type = 'text/event-stream'): Promise<string> {
  const response = new Response(body, { headers: { 'content-type': type } })
  return limitResponse(response, {
    eventBytesMax: 1_000,
    budget: processBudget,
    tooLarge: (limit) => new Error(limit),
    filter: joinDeltas(),
  }).text()
}

const inPieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
const eventsOf = (text: string) => text.split('\n\n').slice(0, -1)
const gemini = (...parts: readonly object[]) =>
  toSse({ kind: 'text', data: { candidates: [{ content: { parts }, index: 0 }] } })
const chat = (delta: object, others: object = {}) =>
  toSse({ kind: 'text', data: { id: 'c', ...others, choices: [{ index: 0, delta, finish_reason: null }] } })

describe.each(Object.entries(wires))('%s', (_name, wire) => {
  const words = Array.from({ length: 1_000 }, (_, index) => `${index}"\n🐎`)
  const encode = (text: readonly string[], thoughts: string) =>
    wire.encode({ thoughts, text, toolCalls: [{ name: 'disk__read', args: { path: '/x' } }] }, 'm')
  const frames = encode(words, 'Let me see.')
  const stream = frames.map(toSse).join('')
  const isDelta = ({ kind }: Frame) => kind === 'text' || kind === 'thought' || kind === 'tool_args'

  test('a thousand chunks that arrive together are one event, and other events stay', () => {
    const joined = eventsOf(join([stream]))
    const others = frames.filter((frame) => !isDelta(frame)).map(toSse)
    expect(others.filter((event) => !joined.includes(event.trimEnd()))).toEqual([])
    expect(joined.length).toBeLessThan(encode(['all'], 'one').length + 1)
    expect(joined.some((event) => event.includes(JSON.stringify(words.join('')).slice(1, -1)))).toBe(true)
  })

  test.each([1, 7, 100, 5_000])('cut after every %i characters, the text is the same', (size) => {
    const text = join(inPieces(stream, size))
    expect(eventsOf(join([text]))).toEqual(eventsOf(join([stream])))
    expect(
      eventsOf(join(inPieces(stream.replaceAll('\n', '\r\n'), size)))
        .at(-1)
        ?.replaceAll('\r', ''),
    ).toBe(eventsOf(stream).at(-1))
  })

  test('an event that arrives alone stays as it is', () => {
    const joiner = createDeltaJoiner()
    for (const frame of frames) expect(joiner.push(toSse(frame))).toBe(toSse(frame))
  })
})

test.each<[string, string, string]>([
  ['of another kind', chat({ content: 'a' }), chat({ reasoning_content: 'b' })],
  ['with another role', chat({ role: 'assistant', content: 'a' }), chat({ role: 'user', content: 'b' })],
  ['of another answer', chat({ content: 'a' }, { id: 'c1' }), chat({ content: 'b' }, { id: 'c2' })],
  ['with one more field', chat({ content: 'a' }), chat({ content: 'b', refusal: null })],
  ['with another name', `event: a\n${chat({ content: 'a' })}`, `event: b\n${chat({ content: 'b' })}`],
  ['without a text', chat({ role: 'assistant' }), chat({ role: 'assistant' })],
  ['of several lines', `data: {}\n${chat({ content: 'a' })}`, `data: {}\n${chat({ content: 'b' })}`],
  [
    'with a call that has all its arguments',
    gemini({ functionCall: { name: 'add', args: { text: 'a' } } }),
    gemini({ functionCall: { name: 'add', args: { text: 'b' } } }),
  ],
  ['of several parts', gemini({ text: 'a' }, { text: 'b' }), gemini({ text: 'c' }, { text: 'd' })],
  [
    'of one text after that of another',
    chat({ reasoning: '', content: 'a' }),
    chat({ reasoning: 'b', content: '' }),
  ],
  ['without any text', chat({ content: '' }), chat({ content: '' })],
  [
    'with another field that counts',
    chat({ content: 'a' }, { usage: 1 }),
    chat({ content: 'b' }, { created: 1 }),
  ],
  ['that counts inside', chat({ content: 'a', usage: 1 }), chat({ content: 'b', usage: 2 })],
  ['that is too long', chat({ content: 'a' }), chat({ content: 'b'.repeat(9_000) })],
  ['that is no JSON', chat({ content: 'a' }), 'data: [DONE]\n\n'],
])('an event %s is not joined', (_what, first, second) => {
  expect(join([first + second])).toBe(first + second)
})

test.each(['\n\n', '\r\n\r\n', '\r\r', '\n\r\n'])(
  'events that end with %j do not wait, and are joined',
  (end) => {
    const event = (text: string) => chat({ content: text }).trimEnd()
    expect(createDeltaJoiner().push(event('a') + end)).toBe(chat({ content: 'a' }))
    expect(join([event('a') + end + event('b') + end])).toBe(chat({ content: 'ab' }))
  },
)

test.each<[string, readonly string[]]>([
  ['that begin alike', ['aa', 'ab', 'abc', 'a', 'b']],
  ['that grow', ['a', 'ab', 'abc', 'abcd']],
  ['that are the same', ['a', 'a', 'a', 'b', 'b']],
  ['with special characters', ['a', 'b', 'say "c"', '\\', '\n', '\u0001', 'é🐎', '"', 'd']],
  ['that begin with special characters', ['"a"', '"b"', '"', '\\', 'c']],
  ['that look like an event', ['a', 'b', '{"content":"c"}', 'data: {}']],
])('texts %s are joined', (_what, texts) => {
  const event = (content: string) => chat({ role: 'assistant', content })
  expect(join([texts.map(event).join('')])).toBe(event(texts.join('')))
})

test('an event that differs in more than its text is not joined after others that differ in nothing else', () => {
  const begin = chat({ content: 'a' }) + chat({ content: 'b' })
  for (const other of [
    chat({ content: 'c', role: 'user' }),
    chat({ content: 'c' }, { id: 'd' }),
    chat({ content: '' }),
    chat({ content: 'c' }).replace('"c"', String.raw`"\N"`),
    chat({ content: 'c' }).replace('"c"', '"c'),
    chat({ content: 'c' }).replace('null', '1234'),
  ])
    expect(join([begin + other + chat({ content: 'e' })])).toBe(
      chat({ content: 'ab' }) + other + chat({ content: 'e' }),
    )
})

test.each(['obfuscation', 'created'])('the field %s may change where the text does not', (field) => {
  const event = (text: string, count: number) =>
    chat({ content: text }, { [field]: field === 'created' ? count : `x${count}` })
  const events = [event('a', 1), event('a', 2), event('a', 3), event('a', 4), event('b', 4), event('c', 4)]
  expect(join([events.join('')])).toBe(event('aaaabc', 4))
})

test('a thought beside an empty text, and one that comes twice, are joined', () => {
  const event = (text: string) => chat({ content: '', reasoning: text, reasoning_details: [{ text }] })
  for (const texts of ['ab', 'abbbb', 'aaaab', 'abcb'])
    expect(join([[...texts].map(event).join('')])).toBe(event(texts))
})

test('fields whose order changes lose no text', () => {
  const event = (text: string, others: object) =>
    `data: ${JSON.stringify({ ...others, delta: text, a: 1 })}\n\n`
  const events = [event('a', { a: 1 }), event('b', {}), event('b', {}), event('b', {})]
  expect(join([events.join('')])).toBe(event('abbb', {}))
})

test('a field may have any name', () => {
  const event = (content: string) => chat({ content }).replace('"id"', '"__proto__"')
  expect(join([event('a') + event('b')])).toBe(event('ab'))
})

test('counts and padding are those of the last event', () => {
  const event = (text: string, count: number) =>
    chat(
      { content: text },
      { created: count, obfuscation: 'x'.repeat(count), usage: { completion_tokens: count } },
    )
  expect(join([event('a', 1) + event('b', 2) + event('c', 3)])).toBe(event('abc', 3))
})

test('a character that is cut between two pieces stays whole', async () => {
  const bytes = Buffer.from(chat({ content: '🐎' }))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect(await read(body)).toBe(bytes.toString())
})

test('an event is read whole, although its end arrives later', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const [event, writer] = [chat({ content: 'a' }), writable.getWriter()]
  const text = read(readable)
  for (const part of [event.slice(0, 20), event.slice(20)]) {
    await writer.write(Buffer.from(part))
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
  await writer.close()
  expect(await text).toBe(event)
})

test('nothing is joined in a body that is not a stream of events', async () => {
  const text = chat({ content: 'a' }) + chat({ content: 'b' })
  expect(await read(text, 'text/plain')).toBe(text)
  expect(await read(text)).toBe(chat({ content: 'ab' }))
})

test('a stream that ends within an event keeps its beginning', async () => {
  const text = `${chat({ content: 'a' })}data: {"b`
  expect(await read(text)).toBe(text)
})

test('a long event is passed on before its end', () => {
  const joiner = createDeltaJoiner()
  const begin = `data: {"a":"${'x'.repeat(9_000)}`
  expect(joiner.push(begin)).toBe(begin)
  expect(joiner.push('yy')).toBe('yy')
  expect(joiner.push(`"}\n\n${chat({ content: 'a' })}${chat({ content: 'b' })}`)).toBe(
    `"}\n\n${chat({ content: 'ab' })}`,
  )
})
