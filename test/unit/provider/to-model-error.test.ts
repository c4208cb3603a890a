import { APICallError } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { isRetryable } from '../../../packages/agent-api/src/provider/retry.ts'
import { describeFailure } from '../../../packages/agent-api/src/provider/failure.ts'
import { toModelError } from '../../../packages/agent-api/src/provider/to-model-error.ts'

const model = { id: 'v/m', vendorName: 'Vendor', redact: (text: string) => text }

function refusal(statusCode: number, message: string) {
  const error = new APICallError({
    message,
    statusCode,
    url: 'http://v',
    requestBodyValues: {},
    responseBody: message,
    data: {},
  })
  return toModelError(error, model)
}

test.each<[string, number, string, number | undefined]>([
  [
    'OpenAI',
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    128_000,
  ],
  [
    'OpenAI, with the answer',
    400,
    "This model's maximum context length is 8,192 tokens. However, you requested 9000 tokens",
    8_192,
  ],
  [
    'OpenAI responses',
    400,
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    undefined,
  ],
  ["OpenAI's code", 400, 'context_length_exceeded', undefined],
  [
    'OpenAI, per minute',
    429,
    'Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 50000.',
    undefined,
  ],
  ['Anthropic', 400, 'prompt is too long: 208310 tokens > 200000 maximum', 200_000],
  [
    'Anthropic, with the answer',
    400,
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length',
    200_000,
  ],
  ['Anthropic, by bytes', 413, 'Request exceeds the maximum size', undefined],
  [
    'Google',
    400,
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    1_048_576,
  ],
  [
    'llama.cpp',
    400,
    'the request exceeds the available context size. try increasing the context size or enable context shift',
    undefined,
  ],
  [
    'llama.cpp, newer',
    400,
    'request (5210 tokens) exceeds the available context size (4096 tokens), try increasing it',
    4_096,
  ],
  [
    'vLLM',
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages",
    4_096,
  ],
  [
    'LM Studio',
    400,
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    4_096,
  ],
  [
    'Mistral',
    400,
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    32_768,
  ],
  [
    'xAI',
    400,
    "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
    131_072,
  ],
  [
    'a server that names no size',
    400,
    'request (9 tokens) exceeds the available context size (0 tokens)',
    undefined,
  ],
  ['a proxy', 413, 'Request Entity Too Large', undefined],
  ['a server that answers 422', 422, 'the request exceeds the available context size', undefined],
  ['a server that answers 500', 500, 'the request exceeds the available context size', undefined],
])('a refusal for length in the words of %s', (_, status, words, contextSize) => {
  const error = refusal(status, words)
  expect(error.code).toBe('model.context_exceeded')
  expect(error.data['contextSize']).toBe(contextSize)
})

test.each<[number, string]>([
  [400, 'messages.1.content.0: image exceeds 5 MB maximum'],
  [400, 'max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens'],
  [429, 'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000'],
  [500, 'Internal server error'],
  [404, 'The model does not exist'],
  [400, 'Unknown parameter: context_management'],
])('other refusals are not about length (%i %s)', (status, words) => {
  expect(refusal(status, words).code).not.toBe('model.context_exceeded')
})

test('a request that is too large for a minute is not sent again as it is', () => {
  const failure = describeFailure(
    new APICallError({
      message: 'Request too large for gpt-5',
      statusCode: 429,
      url: 'http://v',
      requestBodyValues: {},
      data: {},
    }),
  )
  expect(isRetryable(failure)).toBe(false)
})
