import { describe, expect, test } from 'vitest'
import { createByteBudget } from '../../../packages/agent-api/src/http/byte-budget.ts'
import { limitResponse } from '../../../packages/agent-api/src/http/limit-response.ts'

const eventBytesMax = 1024
const eventValuesMax = 100
const streamBytesMax = 10 * 1024

function openBody(chunks: readonly string[], { isEndless = false } = {}) {
  let cancelled: unknown
  let at = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = isEndless ? chunks[at++ % chunks.length] : chunks[at++]
        if (chunk === undefined) controller.close()
        else controller.enqueue(Buffer.from(chunk))
      },
      cancel(reason) {
        cancelled = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { body, cancelReason: () => cancelled }
}

function limit(
  body: ReadableStream<Uint8Array>,
  type = 'text/event-stream',
  budget = createByteBudget({ bytesMax: 3 * 1024, holder: 'they' }),
) {
  return limitResponse(new Response(body, { headers: { 'content-type': type } }), {
    eventBytesMax,
    eventValuesMax,
    streamBytesMax,
    budget,
    tooLarge: (message) => new Error(message),
  })
}

const twice = (text: string) => text.repeat(2)

describe('an event stream', () => {
  test.each(['\n', '\r\n', '\r'])('may have many events whose lines end with %j', async (end) => {
    const event = `event: a${end}data: ${'x'.repeat(50)}${twice(end)}`
    const text = event.repeat(10)
    for (const size of [1, 7, text.length]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(await limit(openBody(chunks).body).text()).toBe(text)
    }
  })

  test('may have many events whose lines end in different ways', async () => {
    const text = `event: a\rdata: ${'x'.repeat(50)}\n\n`.repeat(10)
    expect(await limit(openBody([text]).body).text()).toBe(text)
  })

  test.each([
    ['lines that end with LF', 'data: xxxx\n'],
    ['lines that end with CR LF', 'data: xxxx\r\n'],
    ['lines that end with CR', 'data: xxxx\r'],
    ['one line', 'x'.repeat(20)],
    ['lines with nothing but their name', 'data\n'],
  ])('ends with the name of the limit when one event never ends: %s', async (_name, chunk) => {
    const { body, cancelReason } = openBody([chunk], { isEndless: true })
    await expect(limit(body).text()).rejects.toThrow('one event is over 1 KiB')
    expect(cancelReason()).toBeInstanceOf(Error)
  })

  test('ends with the name of the limit when there is too much in total', async () => {
    const { body } = openBody([`data: ${'x'.repeat(50)}\n\n`], { isEndless: true })
    await expect(limit(body).text()).rejects.toThrow('the answer is over 10 KiB')
  })
})

describe('an answer with more values than bytes suggest', () => {
  const list = (count: number) => `[${Array.from({ length: count }, () => 1).join()}]`
  const [allowed, over] = [list(99), list(100)]

  test.each([1, 7, 1_000])('is refused with the name of the limit, in pieces of %i bytes', async (size) => {
    const read = (text: string, type: string) =>
      limit(openBody(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).body, type).text()
    const events = `data: ${allowed}\n\n`.repeat(3)
    expect(await read(allowed, 'application/json')).toBe(allowed)
    await expect(read(over, 'application/json')).rejects.toThrow('the answer holds more than 100 values')
    expect(await read(events, 'text/event-stream')).toBe(events)
    await expect(read(`${events}data: ${over}\n\n${events}`, 'text/event-stream')).rejects.toThrow(
      'one event holds more than 100 values',
    )
  })

  test('is not hidden by a quote in another field of the event', async () => {
    for (const field of ['event: "', ': "', 'id: "\\'])
      await expect(limit(openBody([`${field}\ndata: ${over}\n\n`]).body).text()).rejects.toThrow(
        'one event holds more than',
      )
  })
})

test('any other body counts as one event', async () => {
  expect(await limit(openBody(['x'.repeat(1024)]).body, 'application/json').text()).toHaveLength(1024)
  await expect(limit(openBody(['x\n\n'.repeat(400)]).body, 'application/json').text()).rejects.toThrow(
    'the answer is over',
  )
})

test('an error page is cut', async () => {
  const response = new Response(openBody(['x'.repeat(10_000)], { isEndless: true }).body, { status: 500 })
  const limited = limitResponse(response, {
    eventBytesMax,
    budget: createByteBudget({ bytesMax: 3 * 1024, holder: 'they' }),
    tooLarge: (message) => new Error(message),
  })
  expect(await limited.text()).toHaveLength(64 * 1024)
})

describe('a budget', () => {
  const part = 'x'.repeat(90)

  test('counts what all streams hold, and releases finished or cancelled ones', async () => {
    const budget = createByteBudget({ bytesMax: 200, holder: 'they' })
    const open = () => limit(openBody([part, '\n\n', part], {}).body, undefined, budget).body?.getReader()
    const [first, second, third] = [open(), open(), open()]
    await first?.read()
    await second?.read()
    await expect(third?.read()).rejects.toThrow('they hold more than')
    await first?.read()
    await open()?.read()
    await second?.cancel()
    await open()?.read()
    await expect(open()?.read()).rejects.toThrow('they hold more than')
  })

  test('releases an aborted request', async () => {
    const budget = createByteBudget({ bytesMax: 100, holder: 'they' })
    let abort: (reason: Error) => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(part))
        abort = (reason) => controller.error(reason)
      },
    })
    await limit(body, undefined, budget).body?.getReader().read()
    expect(budget.take(90)).toBeDefined()
    abort(new Error('aborted'))
    await expect.poll(() => budget.take(90)).toBeUndefined()
  })

  test('does not count the rest of an aborted request', async () => {
    let heldBytes = 0
    const budget = { take: (bytes: number) => void (heldBytes += bytes) }
    let abort: (reason: Error) => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        abort = (reason) => controller.error(reason)
        controller.enqueue(Buffer.alloc(64 * 1024, 'x'))
      },
    })
    const limits = { eventBytesMax: 1024 * 1024, budget, tooLarge: (message: string) => new Error(message) }
    const reader = limitResponse(new Response(body), limits).body?.getReader()
    await reader?.read()
    expect(heldBytes).toBeGreaterThan(0)
    abort(new Error('aborted'))
    await expect(reader?.read()).rejects.toThrow('aborted')
    expect(heldBytes).toBe(0)
  })

  test('counts in the enclosing budget too', () => {
    const outer = createByteBudget({ bytesMax: 100, holder: 'all' })
    const inner = createByteBudget({ bytesMax: 80, holder: 'these', within: outer })
    expect(outer.take(40)).toBeUndefined()
    expect(inner.take(70)).toMatch(/^all hold more than/)
    expect(inner.take(60)).toBeUndefined()
    expect(inner.take(30)).toMatch(/^these hold more than/)
    inner.take(-60)
    expect(outer.take(60)).toBeUndefined()
  })
})
