import { describe, expect, test } from 'vitest'
import { OstlerError } from '../../packages/agent-api/src/base/errors.ts'
import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { streamLimits } from '../../packages/agent-api/src/provider/stream-model.ts'
import { loopbackKey, startLoopbackModel, type Reply } from '../support/loopback-model/index.ts'
import { ask, collect, collectUntilFailure, textOf } from './ask.ts'

const vendors = ['anthropic', 'openai', 'openai-responses', 'google', 'ollama'] as const

test('the waits for one answer take a minute at most', () => {
  expect(streamLimits.retryWaitMaxMs).toBe(60_000)
})

describe.each(vendors)('%s', (vendor) => {
  test.each<[string, Reply]>([
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
    ['408', { status: 408 }],
    ['500', { status: 500 }],
    ['529', { status: 529, errorMessage: 'Overloaded' }],
    ['a dropped connection', { dropConnection: true }],
    ['a stream that ends before a word', { text: 'x', cutAfter: 1, cutBy: 'end' }],
  ])('retries after %s', async (_, failing) => {
    // Gemini's first frame already contains text.
    const first =
      failing.cutAfter !== undefined && vendor === 'google' ? { ...failing, cutAfter: 0 } : failing
    await using server = await startLoopbackModel({ vendor, script: [first, { text: 'Here I am' }] })
    const retries: number[] = []
    const parts = await collect(server, { options: { onRetry: ({ attempt }) => retries.push(attempt) } })
    expect(textOf(parts)).toBe('Here I am')
    expect(parts.filter((part) => part.type === 'stream-start')).toHaveLength(1)
    expect(retries).toEqual([1])
  })

  test('gives up after three retries', async () => {
    await using server = await startLoopbackModel({
      vendor,
      script: () => ({ status: 503, errorMessage: 'Down for repairs' }),
    })
    const { error } = await collectUntilFailure(server)
    expect(error).toMatchObject({
      code: 'model.failed',
      message: expect.stringMatching(/\(503\).*Down for repairs/),
    })
    expect(server.requests).toHaveLength(4)
  })

  test.each([
    ['of one long wait, which is in vain', '9999', []],
    ['of several shorter ones', '0.04', [40]],
  ])('waits no longer than the total limit: %s', async (_, retryAfter, delays) => {
    await using server = await startLoopbackModel({
      vendor,
      script: () => ({ status: 429, headers: { 'retry-after': retryAfter } }),
    })
    const waits: number[] = []
    const { error } = await collectUntilFailure(server, {
      options: {
        limits: { retryDelayMs: 0, retryWaitMaxMs: 60 },
        onRetry: ({ delayMs }) => waits.push(delayMs),
      },
    })
    expect(error).toMatchObject({ code: 'model.failed', message: expect.stringContaining('(429)') })
    expect(waits).toEqual(delays)
    expect(server.requests).toHaveLength(delays.length + 1)
  })

  test.each([401, 403])('names the variable and not the key when it is refused (%i)', async (status) => {
    const errorMessage = `Incorrect API key provided: ${loopbackKey.slice(0, 6)}****${loopbackKey.slice(-4)}.`
    await using server = await startLoopbackModel({ vendor, script: [{ status, errorMessage }] })
    const { error } = await collectUntilFailure(server)
    const variable =
      { anthropic: 'ANTHROPIC_API_KEY', google: 'GEMINI_API_KEY', ollama: 'OLLAMA_API_KEY' }[
        vendor as string
      ] ?? 'OPENAI_API_KEY'
    expect(error).toMatchObject({ code: 'model.auth', message: expect.stringContaining(variable) })
    expect(String(error)).toContain(String(status))
    expect(String(error)).not.toContain('****')
    expect(server.requests).toHaveLength(1)
  })

  test.each<[string, number, string, string]>([
    ['an unknown model', 404, 'model: nothing-5 not found', 'model.unknown'],
    [
      'a conversation that is too long',
      400,
      'prompt is too long: 250000 tokens > 200000 maximum',
      'model.context_exceeded',
    ],
    [
      "OpenAI's words for it",
      400,
      "This model's maximum context length is 8192 tokens.",
      'model.context_exceeded',
    ],
    [
      "Gemini's words for it",
      400,
      'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      'model.context_exceeded',
    ],
    ['anything else', 400, 'tools.0.name: invalid', 'model.failed'],
  ])('explains %s', async (_, status, errorMessage, code) => {
    await using server = await startLoopbackModel({ vendor, script: [{ status, errorMessage }] })
    const { error } = await collectUntilFailure(server)
    expect(error).toBeInstanceOf(OstlerError)
    expect(error).toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
  })

  test('a redirect is not followed: it would take the key and the conversation along', async () => {
    await using other = await startLoopbackModel({ vendor, script: [{ text: 'Thank you for the key' }] })
    const address = Object.values(other.env).find((value) => value.startsWith('http')) ?? ''
    await using server = await startLoopbackModel({
      vendor,
      script: [{ status: 307, headers: { location: address } }],
    })
    const { error } = await collectUntilFailure(server)
    expect(error).toMatchObject({
      code: 'model.redirected',
      message: expect.stringContaining(`redirects to ${address}`),
    })
    expect([server.requests.length, other.requests.length]).toEqual([1, 0])
  })

  test.each(['end', 'reset'] as const)(
    'a stream that is cut (%s) in the middle of a tool call yields no call',
    async (cutBy) => {
      const toolCalls = [{ name: 'disk__erase', args: { path: '/home/me/old', recursive: true } }]
      await using server = await startLoopbackModel({
        vendor,
        script: [{ text: 'Erasing.', toolCalls, cutAfter: 'half_tool_call', cutBy }],
      })
      const { parts, error } = await collectUntilFailure(server)
      expect(error).toMatchObject({ code: 'model.stream_cut' })
      expect(textOf(parts)).toBe('Erasing.')
      expect(parts.filter((part) => part.type === 'tool-call' || part.type === 'finish')).toEqual([])
      expect(server.requests).toHaveLength(1)
    },
  )

  test.each(['end', 'reset'] as const)(
    'a stream that is cut (%s) in the middle of a text is not requested again',
    async (cutBy) => {
      await using server = await startLoopbackModel({
        vendor,
        script: [{ text: 'Once upon', cutAfter: 'text', cutBy }],
      })
      const { error } = await collectUntilFailure(server)
      expect(error).toMatchObject({ code: 'model.stream_cut' })
      expect(server.requests).toHaveLength(1)
    },
  )

  test('an error within a stream is reported with its message', async () => {
    await using server = await startLoopbackModel({
      vendor,
      script: [{ text: 'Once', streamError: 'We are overloaded' }],
    })
    const { parts, error } = await collectUntilFailure(server)
    expect(textOf(parts)).toBe('Once')
    expect(error).toMatchObject({
      code: 'model.failed',
      message: expect.stringContaining('We are overloaded'),
    })
  })

  test('a silent model has stalled', async () => {
    await using server = await startLoopbackModel({ vendor, script: [{ text: 'Once', hang: 'after_text' }] })
    // Long enough for the request to reach the model on a busy machine. One that never arrives is not ended either.
    const { error } = await collectUntilFailure(server, { options: { limits: { idleMs: 500 } } })
    expect(error).toMatchObject({ code: 'model.stalled' })
    await server.waitForDisconnect()
  })
})

describe.each(vendors)('%s, cancelled', (vendor) => {
  test.each(['before_headers', 'after_start', 'after_text'] as const)('while it hangs %s', async (hang) => {
    await using server = await startLoopbackModel({ vendor, script: [{ text: 'Once', hang }] })
    const controller = new AbortController()
    const reason = new Error('no more')
    const asked = collectUntilFailure(server, { options: { signal: controller.signal } })
    await server.waitForRequests(1)
    controller.abort(reason)
    expect((await asked).error).toBe(reason)
    await server.waitForDisconnect()
    expect(server.requests).toHaveLength(1)
  })

  test('while waiting for a retry', async () => {
    await using server = await startLoopbackModel({
      vendor,
      script: [{ status: 429, headers: { 'retry-after': '60' } }],
    })
    const controller = new AbortController()
    const delays: number[] = []
    const onRetry = ({ delayMs }: { delayMs: number }) => {
      delays.push(delayMs)
      controller.abort()
    }
    const { error } = await collectUntilFailure(server, { options: { signal: controller.signal, onRetry } })
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(delays).toEqual([60_000])
    expect(server.requests).toHaveLength(1)
  })

  test('before it began', async () => {
    await using server = await startLoopbackModel({ vendor, script: [] })
    const { error } = await collectUntilFailure(server, { options: { signal: AbortSignal.abort() } })
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(server.requests).toHaveLength(0)
  })

  test('by leaving the loop', async () => {
    await using server = await startLoopbackModel({
      vendor,
      script: [{ text: ['Once', ' upon'], delayMs: 5, hang: 'after_text' }],
    })
    for await (const part of ask(server)) if (part.type === 'text-delta') break
    await server.waitForDisconnect()
    expect(server.requests).toMatchObject([{ disconnected: true }])
  })
})

test('a used-up quota is not retried', async () => {
  const errorMessage = 'You exceeded your current quota, please check your plan and billing details.'
  await using server = await startLoopbackModel({ vendor: 'openai', script: [{ status: 429, errorMessage }] })
  const { error } = await collectUntilFailure(server)
  expect(error).toMatchObject({ code: 'model.failed', message: expect.stringContaining('quota') })
  expect(server.requests).toHaveLength(1)
})

test('the vendor is quoted briefly, and redacted before it is cut', async () => {
  const redactor = createRedactor()
  redactor.add('hunter2-hunter2')
  const errorMessage = `hunter2-hunter2 ${'x'.repeat(180)} hunter2-hunter2 and more`
  await using server = await startLoopbackModel({
    vendor: 'anthropic',
    script: [{ status: 400, errorMessage }],
  })
  const { error } = await collectUntilFailure(server, { redact: redactor.redact })
  expect(String(error)).not.toContain('hunter')
  expect(String(error).length).toBeLessThan(300)
})

test('an unreachable server is named', async () => {
  const server = await startLoopbackModel({ vendor: 'ollama', script: [] })
  await server[Symbol.asyncDispose]()
  const { error } = await collectUntilFailure(server)
  expect(error).toMatchObject({
    code: 'model.failed',
    message: expect.stringMatching(/^Ollama could not be reached/),
  })
})
