import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Model } from '../../../packages/agent-api/src/provider/model.ts'
import { streamOnce } from '../../../packages/agent-api/src/provider/stream-once.ts'

const idleMs = 1_000
const word: LanguageModelV4StreamPart = { type: 'text-delta', id: '1', delta: 'word ' }

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

function openAnswer(signal = new AbortController().signal) {
  const { readable, writable } = new TransformStream<LanguageModelV4StreamPart>(undefined, undefined, {
    highWaterMark: 10,
  })
  const model = {
    vendorName: 'A model',
    languageModel: { doStream: async () => ({ stream: readable }) },
  } as unknown as Model
  const writer = writable.getWriter()
  const parts = streamOnce(model, { prompt: [] }, { signal, idleMs })
  return { send: () => writer.write(word), parts }
}

test('each part may take its time, however long all of them take', async () => {
  const { send, parts } = openAnswer()
  for (let count = 0; count < 3; count++) {
    const next = parts.next()
    await vi.advanceTimersByTimeAsync(idleMs - 1)
    await send()
    expect((await next).value).toEqual(word)
  }
  await parts.return(undefined)
})

test('a reader may take its time', async () => {
  const { send, parts } = openAnswer()
  for (let count = 0; count < 3; count++) {
    await send()
    expect((await parts.next()).value).toEqual(word)
    await vi.advanceTimersByTimeAsync(2 * idleMs)
  }
  await parts.return(undefined)
})

test('a model that sends nothing has stalled, also after a slow reader', async () => {
  const { send, parts } = openAnswer()
  await send()
  await parts.next()
  await vi.advanceTimersByTimeAsync(2 * idleMs)
  const [end] = await Promise.allSettled([parts.next(), vi.advanceTimersByTimeAsync(idleMs)])
  expect(end).toMatchObject({ status: 'rejected', reason: { code: 'model.stalled' } })
})

test('after an abort, nothing is read, and no timer is left', async () => {
  const controller = new AbortController()
  const reason = new Error('no more')
  const { parts } = openAnswer(controller.signal)
  const aborting = vi.advanceTimersByTimeAsync(1).then(() => controller.abort(reason))
  expect(await Promise.allSettled([parts.next(), aborting])).toMatchObject([
    { status: 'rejected', reason },
    {},
  ])
  await expect(openAnswer(controller.signal).parts.next()).rejects.toBe(reason)
  expect(vi.getTimerCount()).toBe(0)
})
