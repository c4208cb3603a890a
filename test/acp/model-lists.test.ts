import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import type {
  SessionConfigOption,
  SetSessionConfigOptionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { openScriptedSession } from '../support/acp-scripted.ts'
import { openAgent } from '@ostler/agent-api'
import { openAcpInProcess } from '../support/acp-harness.ts'
import {
  loopbackKey,
  startLoopbackModel,
  type LoopbackModel,
  type LoopbackVendor,
  type SideReply,
  type SideRequest,
} from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { until } from '../support/processes.ts'

const hello = () => ({ text: 'hello' })

function modelsIn(options: readonly SessionConfigOption[]) {
  const option = options.find(({ id }) => id === 'model')
  return option?.type === 'select'
    ? option.options.flatMap((choice) => ('value' in choice ? [choice] : []))
    : []
}

function lastModels(updates: readonly SessionUpdate[]) {
  const update = updates.findLast(({ sessionUpdate }) => sessionUpdate === 'config_option_update')
  return update?.sessionUpdate === 'config_option_update' ? modelsIn(update.configOptions) : []
}

interface Case {
  readonly server: string
  readonly vendor: LoopbackVendor
  readonly model?: string
  readonly env?: (url: string) => Record<string, string>
  readonly serve: (request: SideRequest) => SideReply | undefined
  /** The menu without the offline model. */
  readonly menu: readonly string[]
  readonly size: number
  readonly levels: readonly string[] | undefined
}

const only =
  (path: string, body: unknown, key?: (headers: SideRequest['headers']) => boolean) =>
  (request: SideRequest): SideReply | undefined =>
    request.path === path
      ? key?.(request.headers) === false
        ? { status: 401, body: {} }
        : { body }
      : undefined

const bearer = (headers: SideRequest['headers']) => headers['authorization'] === `Bearer ${loopbackKey}`
const all = ['default', 'off', 'low', 'medium', 'high']

const cases: readonly Case[] = [
  {
    server: 'Anthropic',
    vendor: 'anthropic',
    serve: only(
      '/v1/models',
      {
        data: [
          {
            type: 'model',
            id: 'claude-sonnet-4-5-20250929',
            display_name: 'Claude Sonnet 4.5',
            max_input_tokens: 654_321,
            max_tokens: 12_345,
            created_at: '2025-09-29T00:00:00Z',
            capabilities: { thinking: { supported: false }, image_input: { supported: true } },
          },
          {
            type: 'model',
            id: 'claude-novel-9',
            display_name: 'Claude Novel 9',
            created_at: '2026-11-01T00:00:00Z',
          },
        ],
        has_more: false,
      },
      (headers) => headers['x-api-key'] === loopbackKey && headers['anthropic-version'] === '2023-06-01',
    ),
    menu: ['anthropic/claude-sonnet-4-5', 'anthropic/claude-novel-9'],
    size: 654_321,
    levels: undefined,
  },
  {
    server: 'OpenAI',
    vendor: 'openai-responses',
    serve: only(
      '/v1/models',
      {
        data: [
          'gpt-5.4',
          'gpt-5.4-2026-03-05',
          'gpt-6.1-sol',
          'text-embedding-3-large',
          'gpt-image-2',
          'whisper-1',
          'o4-mini',
        ].map((id, index) => ({ id, object: 'model', created: 1_700_000_000 + index })),
      },
      bearer,
    ),
    menu: ['openai/gpt-6.1-sol', 'openai/o4-mini', 'openai/gpt-5.4'],
    size: 1_050_000,
    levels: all,
  },
  {
    server: 'an OpenAI-compatible server that tells windows, such as vLLM',
    vendor: 'openai',
    model: 'openai/qwen/qwen3-coder',
    serve: only(
      '/v1/models',
      { data: [{ id: 'qwen/qwen3-coder', max_model_len: 77_000 }, { id: 'bge-embed' }] },
      bearer,
    ),
    menu: ['openai/qwen/qwen3-coder'],
    size: 77_000,
    levels: undefined,
  },
  {
    server: 'OpenRouter',
    vendor: 'openai',
    model: 'openrouter/some/thinker',
    env: (url) => ({
      OPENROUTER_API_KEY: loopbackKey,
      OPENROUTER_BASE_URL: `${url}/api/v1`,
      OPENAI_API_KEY: '',
    }),
    serve: only('/api/v1/models', {
      data: [
        {
          id: 'some/thinker',
          name: 'Some: Thinker',
          created: 1_800_000_000,
          context_length: 400_000,
          top_provider: { context_length: 123_456, max_completion_tokens: 9_999 },
          supported_parameters: ['tools', 'reasoning'],
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
        },
        {
          id: 'some/painter',
          architecture: { output_modalities: ['image'] },
          supported_parameters: ['tools'],
        },
        { id: 'some/talker', supported_parameters: ['temperature'] },
      ],
    }),
    menu: ['openrouter/some/thinker'],
    size: 123_456,
    levels: all,
  },
  {
    server: 'Google, page by page',
    vendor: 'google',
    model: 'google/gemini-9-pro',
    serve({ path, query, headers }) {
      if (path !== '/v1beta/models' || headers['x-goog-api-key'] !== loopbackKey) return undefined
      const method = ['generateContent', 'countTokens']
      if (query.get('pageToken') !== 'p2') {
        const flash = {
          name: 'models/gemini-3.8-flash',
          displayName: 'Gemini 3.8 Flash',
          supportedGenerationMethods: method,
        }
        const embedding = { name: 'models/gemini-embedding-2', supportedGenerationMethods: ['embedContent'] }
        return { body: { models: [embedding, flash], nextPageToken: 'p2' } }
      }
      const pro = {
        name: 'models/gemini-9-pro',
        displayName: 'Gemini 9 Pro',
        inputTokenLimit: 2_222_222,
        outputTokenLimit: 65_536,
        thinking: true,
      }
      return { body: { models: [{ ...pro, supportedGenerationMethods: method }] } }
    },
    menu: ['google/gemini-3.8-flash', 'google/gemini-9-pro'],
    size: 2_222_222,
    levels: ['default', 'low', 'medium', 'high'],
  },
  {
    server: 'Ollama',
    vendor: 'ollama',
    serve({ path, body }) {
      if (path === '/api/tags')
        return {
          body: { models: ['qwen3:latest', 'tuned:7b', 'nomic-embed-text:latest'].map((name) => ({ name })) },
        }
      if (path === '/api/ps') return { body: { models: [{ name: 'tuned:7b', context_length: 4_096 }] } }
      if (path !== '/api/show') return undefined
      const { model } = JSON.parse(body) as { model: string }
      if (model.startsWith('nomic')) return { body: { capabilities: ['embedding'], model_info: {} } }
      const info = { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 }
      return {
        body: { capabilities: ['completion', 'tools', 'thinking'], model_info: info, parameters: 'stop "x"' },
      }
    },
    menu: ['ollama/tuned:7b', 'ollama/qwen3'],
    size: 40_960,
    levels: all,
  },
  {
    server: 'LM Studio',
    vendor: 'openai',
    model: 'lmstudio/qwen3-8b',
    env: (url) => ({ LMSTUDIO_BASE_URL: url, OPENAI_API_KEY: '' }),
    serve: only('/api/v0/models', {
      data: [
        {
          id: 'qwen3-8b',
          type: 'llm',
          max_context_length: 131_072,
          loaded_context_length: 8_192,
          capabilities: ['tool_use'],
        },
        { id: 'nomic', type: 'embeddings', max_context_length: 2_048 },
      ],
    }),
    menu: ['lmstudio/qwen3-8b'],
    size: 8_192,
    levels: undefined,
  },
  {
    server: 'llama.cpp',
    vendor: 'openai',
    model: 'llamacpp/any.gguf',
    env: (url) => ({ LLAMACPP_BASE_URL: url, OPENAI_API_KEY: '' }),
    serve({ path }) {
      if (path === '/props')
        return { body: { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: false } } }
      return path === '/v1/models'
        ? { body: { data: [{ id: 'any.gguf', meta: { n_ctx_train: 131_072 } }] } }
        : undefined
    },
    menu: ['llamacpp/any.gguf'],
    size: 16_384,
    levels: undefined,
  },
]

describe.each(cases)('the list of models of $server', ({ vendor, model, env, serve, menu, size, levels }) => {
  it('arrives in the background, and says how large windows are and which models think', async () => {
    await using scripted = await startLoopbackModel({ vendor, script: hello, serve })
    const agent = { model: model ?? scripted.modelId, env: { ...scripted.env, ...env?.(scripted.url) } }
    await using editor = openAcpInProcess({ agent })
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: '/' })
    const update = await editor.waitForUpdate(sessionId, 'config_option_update')
    expect(modelsIn(update.configOptions).map(({ value }) => value)).toEqual([...menu, 'offline'])
    const option = update.configOptions.find(({ id }) => id === 'thought_level')
    expect(
      option?.type === 'select'
        ? option.options.map((choice) => ('value' in choice ? choice.value : ''))
        : undefined,
    ).toEqual(levels)
    await editor.prompt(sessionId, 'go')
    expect(await editor.waitForUpdate(sessionId, 'usage_update')).toMatchObject({ size })
  })
})

test('the longest answer is as long as Anthropic says', async () => {
  const anthropic = cases.find(({ server }) => server === 'Anthropic')
  await using session = await openScriptedSession({
    script: hello,
    ...(anthropic && { serve: anthropic.serve }),
  })
  await session.editor.waitForUpdate(session.sessionId, 'config_option_update')
  await session.editor.prompt(session.sessionId, 'go')
  expect(session.model.requests[0]?.body).toMatchObject({ max_tokens: 12_345 })
})

test.each([
  ['reads text only', ['completion', 'tools'], 0],
  ['takes images', ['completion', 'tools', 'vision'], 1],
])('an image is described to a model that %s, if it cannot be sent', async (_, capabilities, files) => {
  await using session = await openScriptedSession({
    vendor: 'ollama',
    script: hello,
    serve({ path }) {
      if (path === '/api/tags') return { body: { models: [{ name: 'qwen3:latest' }] } }
      return path === '/api/show' ? { body: { capabilities, model_info: {} } } : undefined
    },
  })
  const { editor, sessionId, model } = session
  await editor.waitForUpdate(sessionId, 'config_option_update')
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await editor.prompt(sessionId, [
    { type: 'text', text: 'What is this?' },
    { type: 'image', data, mimeType: 'image/png' },
  ])
  const parts = model.requests[0]?.messages[0]?.parts ?? []
  expect(parts.filter(({ type }) => type === 'file')).toHaveLength(files)
  expect(JSON.stringify(parts).includes('image/png')).toBe(true)
})

describe('a vendor that has no list for us delays nothing, and the built-in models stay', () => {
  const huge = `{"data":[${'{"id":"x"},'.repeat(1_000_000)}{"id":"y"}]}`
  test.each<[string, SideReply]>([
    ['silence', { hangs: true, body: '' }],
    ['an error', { status: 500, body: 'oops' }],
    ['no JSON', { body: '<html>' }],
    ['another shape', { body: { data: 'none' } }],
    ['too much', { body: huge }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ])('%s', async (_, reply) => {
    let asked = 0
    await using session = await openScriptedSession({
      script: hello,
      serve: ({ path }) => {
        asked++
        return path === '/v1/models' ? reply : undefined
      },
    })
    const { editor, sessionId } = session
    await until('the request for the list', () => asked > 0)
    await editor.prompt(sessionId, 'go')
    expect(editor.text(sessionId)).toBe('hello')
    expect(lastModels(editor.updates(sessionId))).toEqual([])
    expect(asked).toBe(1)
  })
})

test('names are cleaned, unusable entries are left out, and the menu has a limit', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    id: `claude-x-${index}`,
    display_name: `X ${index}`,
  }))
  const odd = [
    { id: 'evil name', display_name: 'spaces' },
    { id: 7 },
    null,
    'text',
    {
      id: 'claude-odd',
      display_name: 'Odd\u202e \u001b[31mname\n\nhere',
      created_at: '2099-01-01T00:00:00Z',
      max_input_tokens: -5,
    },
  ]
  await using session = await openScriptedSession({
    script: hello,
    serve: only('/v1/models', { data: [...odd, ...many] }),
  })
  const { configOptions } = await session.editor.waitForUpdate(session.sessionId, 'config_option_update')
  const menu = modelsIn(configOptions)
  // The session's model, 25 of the vendor, and the offline one.
  expect(menu).toHaveLength(27)
  expect(menu[1]).toMatchObject({ value: 'anthropic/claude-odd', name: 'Odd name here' })
})

test('any other model can be chosen, and is then in the menu', async () => {
  await using session = await openScriptedSession({ script: hello })
  const { editor, sessionId, model } = session
  const value = 'anthropic/claude-of-our-own'
  const answer = await editor.request<SetSessionConfigOptionResponse>('session/set_config_option', {
    sessionId,
    configId: 'model',
    value,
  })
  expect(modelsIn(answer.configOptions).map((choice) => choice.value)).toContain(value)
  await editor.prompt(sessionId, 'go')
  expect(model.requests[0]?.model).toBe('claude-of-our-own')
})

const openWithState = ({ modelId, env }: LoopbackModel, stateDir: string) =>
  openAcpInProcess({ openAgent: (logger) => openAgent({ model: modelId, env, stateDir, logger }) })

test('a list is kept for a day in a file for this user alone, without the key, and is not requested again', async () => {
  await using dir = await openTempDir()
  let asked = 0
  await using scripted = await startLoopbackModel({
    vendor: 'anthropic',
    script: hello,
    serve({ path }) {
      if (path !== '/v1/models') return undefined
      asked++
      return { body: { data: [{ id: 'claude-kept', display_name: 'Kept' }] } }
    },
  })
  const state = join(dir.path, 'state')
  const start = () => openWithState(scripted, state)
  {
    await using editor = start()
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: dir.path })
    await editor.waitForUpdate(sessionId, 'config_option_update')
  }
  const file = join(state, 'models.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).not.toContain(loopbackKey)
  await using editor = start()
  await editor.initialize()
  const { configOptions, sessionId } = await editor.newSession({ cwd: dir.path })
  expect(modelsIn(configOptions ?? []).map(({ name }) => name)).toContain('Kept')
  await editor.prompt(sessionId, 'go')
  expect(asked).toBe(1)
})

test('an old or a damaged file of lists is replaced', async () => {
  await using dir = await openTempDir()
  const { mkdir, writeFile } = await import('node:fs/promises')
  await using scripted = await startLoopbackModel({
    vendor: 'anthropic',
    script: hello,
    serve: only('/v1/models', { data: [{ id: 'claude-new' }] }),
  })
  const state = join(dir.path, 'state')
  await mkdir(state, { mode: 0o700 })
  const old = { fetchedAt: Date.now() - 25 * 60 * 60 * 1_000, models: [{ id: 'claude-old' }] }
  for (const content of ['{"anth', JSON.stringify({ [`anthropic ${scripted.url}/v1`]: old })]) {
    await writeFile(join(state, 'models.json'), content)
    await using editor = openWithState(scripted, state)
    await editor.initialize()
    const { configOptions, sessionId } = await editor.newSession({ cwd: dir.path })
    const before = modelsIn(configOptions ?? []).map(({ value }) => value)
    expect(before.includes('anthropic/claude-old')).toBe(content.includes('claude-old'))
    const update = await editor.waitForUpdate(sessionId, 'config_option_update')
    expect(modelsIn(update.configOptions).map(({ value }) => value)).toContain('anthropic/claude-new')
  }
})
