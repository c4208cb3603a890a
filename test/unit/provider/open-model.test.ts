import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { availableModels } from '../../../packages/agent-api/src/provider/choose-model.ts'
import type { Model, ModelSettings, ProviderConfig } from '../../../packages/agent-api/src/provider/model.ts'
import { createOfflineModel } from '../../../packages/agent-api/src/provider/offline/offline-model.ts'
import { openModel } from '../../../packages/agent-api/src/provider/open-model.ts'
import { toolsMaxOf } from '../../../packages/agent-api/src/provider/tool-limit.ts'

const redact = (text: string) => text

function settings(
  env: Record<string, string> = {},
  providers: Record<string, ProviderConfig> = {},
): ModelSettings {
  return { env, providers }
}

/** Returns the URL and headers of a model's first request. Only the network is replaced. */
async function requestOf(model: Model): Promise<{ url: string; headers: Record<string, string> }> {
  const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    async () => new Response('{}', { status: 400 }),
  )
  vi.stubGlobal('fetch', fetched)
  await Promise.resolve(
    model.languageModel.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }),
  ).catch(() => {})
  const [url = '', init] = fetched.mock.calls[0] ?? []
  return { url, headers: Object.fromEntries(new Headers(init?.headers)) }
}

beforeEach(() => {
  // The process's own environment must not matter.
  for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'])
    vi.stubEnv(name, 'from-the-process')
  for (const name of ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL']) vi.stubEnv(name, 'http://from-the-process')
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const key = 'the-key'
const bearer = { authorization: 'Bearer the-key' }

describe.each<[string, string, ModelSettings, string, Record<string, string>]>([
  [
    'Anthropic',
    'anthropic/claude-sonnet-5-5',
    settings({ ANTHROPIC_API_KEY: key }),
    'https://api.anthropic.com/v1/messages',
    { 'x-api-key': key },
  ],
  [
    'Anthropic with a token',
    'anthropic/c',
    settings({ ANTHROPIC_AUTH_TOKEN: key }),
    'https://api.anthropic.com/v1/messages',
    bearer,
  ],
  [
    'Anthropic at another address',
    'anthropic/c',
    settings({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://proxy/anthropic/' }),
    'http://proxy/anthropic/v1/messages',
    { 'x-api-key': key },
  ],
  [
    'Anthropic at another address, with a version',
    'anthropic/c',
    settings({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://proxy/v1' }),
    'http://proxy/v1/messages',
    { 'x-api-key': key },
  ],
  [
    'OpenAI',
    'openai/gpt-6.1-sol',
    settings({ OPENAI_API_KEY: key }),
    'https://api.openai.com/v1/responses',
    bearer,
  ],
  [
    'OpenAI in a region',
    'openai/gpt-6.1-sol',
    settings({ OPENAI_API_KEY: key, OPENAI_BASE_URL: 'https://eu.api.openai.com/v1' }),
    'https://eu.api.openai.com/v1/responses',
    bearer,
  ],
  [
    'what calls itself OpenAI',
    'openai/any',
    settings({ OPENAI_API_KEY: key, OPENAI_BASE_URL: 'http://proxy/v1' }),
    'http://proxy/v1/chat/completions',
    bearer,
  ],
  [
    'a proxy that speaks responses',
    'openai/any',
    settings({ OPENAI_API_KEY: key, OPENAI_BASE_URL: 'http://proxy/v1', OSTLER_OPENAI_API: 'responses' }),
    'http://proxy/v1/responses',
    bearer,
  ],
  [
    'Google',
    'google/gemini-4-argon',
    settings({ GEMINI_API_KEY: key }),
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-4-argon:streamGenerateContent?alt=sse',
    { 'x-goog-api-key': key },
  ],
  [
    'Google at another address',
    'google/g',
    settings({ GOOGLE_API_KEY: key, GOOGLE_GEMINI_BASE_URL: 'http://proxy' }),
    'http://proxy/v1beta/models/g:streamGenerateContent?alt=sse',
    { 'x-goog-api-key': key },
  ],
  [
    'OpenRouter',
    'openrouter/qwen/qwen3-coder',
    settings({ OPENROUTER_API_KEY: key }),
    'https://openrouter.ai/api/v1/chat/completions',
    bearer,
  ],
  ['Ollama', 'ollama/qwen3:8b', settings(), 'http://127.0.0.1:11434/v1/chat/completions', {}],
  [
    'Ollama that listens everywhere',
    'ollama/q',
    settings({ OLLAMA_HOST: '0.0.0.0' }),
    'http://127.0.0.1:11434/v1/chat/completions',
    {},
  ],
  [
    'Ollama on a port',
    'ollama/q',
    settings({ OLLAMA_HOST: ':1234' }),
    'http://127.0.0.1:1234/v1/chat/completions',
    {},
  ],
  [
    'Ollama on a host',
    'ollama/q',
    settings({ OLLAMA_HOST: 'https://gpu.example' }),
    'https://gpu.example/v1/chat/completions',
    {},
  ],
  ['LM Studio', 'lmstudio/q', settings(), 'http://127.0.0.1:1234/v1/chat/completions', {}],
  ['llama.cpp', 'llamacpp/q', settings(), 'http://127.0.0.1:8080/v1/chat/completions', {}],
  ['vLLM', 'vllm/q', settings(), 'http://127.0.0.1:8000/v1/chat/completions', {}],
  [
    "a provider of one's own",
    'lab/q/x',
    settings(
      {},
      {
        lab: {
          type: 'openai-compatible',
          baseUrl: 'http://lab:9/api',
          apiKey: key,
          headers: { 'X-Team': 'a' },
        },
      },
    ),
    'http://lab:9/api/chat/completions',
    { ...bearer, 'x-team': 'a' },
  ],
  [
    'a vendor by another name',
    'work/c',
    settings({ ANTHROPIC_API_KEY: 'other' }, { work: { type: 'anthropic', apiKey: key } }),
    'https://api.anthropic.com/v1/messages',
    { 'x-api-key': key },
  ],
  [
    'a setting over the environment',
    'anthropic/c',
    settings(
      { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://env' },
      { anthropic: { type: 'anthropic', baseUrl: 'http://file' } },
    ),
    'http://file/v1/messages',
    { 'x-api-key': key },
  ],
])('%s', (_, id, given, url, headers) => {
  test('is requested at the right address, with the right key', async () => {
    const request = await requestOf(await openModel(id, given, { redact }))
    expect(request.url).toBe(url)
    expect(request.headers).toMatchObject(headers)
    expect(request.headers['authorization']).toBe(headers['authorization'])
    expect(JSON.stringify(request)).not.toContain('from-the-process')
  })
})

test('a key meant for the vendor does not go to a server that shares its protocol', async () => {
  const given = settings(
    { OPENAI_API_KEY: 'meant-for-openai' },
    { lab: { type: 'openai', baseUrl: 'http://lab/v1' } },
  )
  expect(JSON.stringify(await requestOf(await openModel('lab/x', given, { redact })))).not.toContain(
    'meant-for-openai',
  )
})

test.each<[string, ModelSettings, string, RegExp]>([
  ['anthropic/x', settings(), 'model.no_key', /^Anthropic needs an API key: set ANTHROPIC_API_KEY\.$/],
  [
    'google/x',
    settings({ GEMINI_API_KEY: ' ' }),
    'model.no_key',
    /GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY/,
  ],
  ['openrouter/a/b', settings(), 'model.no_key', /OPENROUTER_API_KEY/],
  [
    'work/x',
    settings({}, { work: { type: 'anthropic', baseUrl: 'http://x' } }),
    'model.no_key',
    /set providers\.work\.apiKey/,
  ],
  [
    'lab/x',
    settings({}, { lab: { type: 'openai-compatible' } }),
    'model.no_base_url',
    /providers\.lab\.baseUrl/,
  ],
  [
    'nobody/x',
    settings({}, { lab: { type: 'openai' } }),
    'model.unknown',
    /no provider "nobody".*anthropic.*lab.*offline/,
  ],
  ['__proto__/x', settings(), 'model.unknown', /no provider/],
  ['gpt-4', settings(), 'model.unknown', /write provider\/model/],
  ['openai/', settings(), 'model.unknown', /write provider\/model/],
  ['/x', settings(), 'model.unknown', /write provider\/model/],
  [
    'anthropic/x',
    settings({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'ftp://user:secret@host' }),
    'model.bad_base_url',
    /^ANTHROPIC_BASE_URL is not/,
  ],
])('%s is refused, with a remedy', async (id, given, code, message) => {
  await expect(openModel(id, given, { redact })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})

test.each([
  ['anthropic/claude-sonnet-5-5', 1_000_000],
  ['anthropic/claude-sonnet-4-5', 200_000],
  ['openrouter/anthropic/claude-opus-4.6', 1_000_000],
  ['openrouter/openai/gpt-4o-mini', 128_000],
  ['ollama/llama3', 32_768],
  ['offline', 1_000_000],
])('%s reads %i tokens', async (id, contextSize) => {
  expect(
    await openModel(id, settings({ ANTHROPIC_API_KEY: 'k', OPENROUTER_API_KEY: 'k' }), { redact }),
  ).toMatchObject({ contextSize })
})

describe.each(['anthropic', 'openai', 'google', 'openai-compatible'] as const)(
  'a model that the program opens, of type %s',
  (type) => {
    const languageModel = createOfflineModel()
    const given = settings(
      {},
      { mine: { type, open: (name) => ({ ...languageModel, modelId: name }), contextSize: 7_000 } },
    )

    test('needs no address and no key, and has the limits of its type', async () => {
      const model = await openModel('mine/some/model', given, { redact })
      expect(model.languageModel.modelId).toBe('some/model')
      expect(model).toMatchObject({
        vendor: type,
        vendorName: 'mine',
        contextSize: 7_000,
        keySource: undefined,
      })
      expect(model.toolsMax).toBe(toolsMaxOf(type))
    })

    test('is not in the menu, because the names of its models are not known', () => {
      expect(availableModels(given).map(({ id }) => id)).toEqual(['offline'])
    })
  },
)
