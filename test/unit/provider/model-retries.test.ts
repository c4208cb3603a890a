import { Readable } from 'node:stream'
import { APICallError } from '@ai-sdk/provider'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import type { Model } from '../../../packages/agent-api/src/provider/model.ts'
import { streamModel, type ModelCall } from '../../../packages/agent-api/src/provider/stream-model.ts'

const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: {}, outputTokens: {} } as never,
}
const word: LanguageModelV4StreamPart = { type: 'text-delta', id: '1', delta: 'word' }
const refusal = (statusCode: number, message = 'no') =>
  new APICallError({ message, statusCode, url: '', requestBodyValues: {}, isRetryable: false })

/** Asks a model that answers in this order: with an error, completely, or with a beginning and an error. Returns its requests, and the retries that were told. */
async function ask(answers: readonly (Error | 'answer' | 'beginning')[], call: Partial<ModelCall> = {}) {
  const requests: LanguageModelV4CallOptions[] = []
  const retries: number[] = []
  const model = {
    id: 'openai/gpt',
    vendor: 'openai',
    vendorName: 'A model',
    thoughtLevels: ['low'],
    redact: (text: string) => text,
    languageModel: {
      async doStream(request: LanguageModelV4CallOptions) {
        requests.push(request)
        const answer = answers[requests.length - 1] ?? answers.at(-1)
        if (answer instanceof Error) throw answer
        const parts = answer === 'answer' ? [finish] : [word, { type: 'error', error: refusal(400) }]
        return { stream: Readable.toWeb(Readable.from(parts)) }
      },
    },
  } as unknown as Model
  const parts = streamModel(
    model,
    { prompt: [], ...call },
    {
      signal: AbortSignal.timeout(10_000),
      limits: { retriesMax: 3, retryDelayMs: 1 },
      onRetry: ({ attempt }) => retries.push(attempt),
    },
  )
  const [end] = await Promise.allSettled([Array.fromAsync(parts)])
  return { requests, retries, end }
}

test('a busy model is asked again three times', async () => {
  const { requests, retries, end } = await ask([refusal(503)])
  expect([requests.length, retries, end?.status]).toEqual([4, [1, 2, 3], 'rejected'])
})

const waiting = new Map([['find', { deferral: 'find' as const }]])

test('a request without what was refused is not one of the retries', async () => {
  const noSummaries = refusal(400, 'Your organization must be verified to generate reasoning summaries')
  const busy = [refusal(503), refusal(503), refusal(503)]
  const { requests, retries, end } = await ask([noSummaries, refusal(400), ...busy, 'answer'], { waiting })
  expect([requests.length, retries, end?.status]).toEqual([6, [1, 2, 3], 'fulfilled'])
})

test('a model that has begun its answer is not asked again', async () => {
  const { requests, end } = await ask(['beginning', 'answer'], { waiting })
  expect([requests.length, end?.status]).toEqual([1, 'rejected'])
})
