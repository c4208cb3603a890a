import { describe, expect, it, test } from 'vitest'
import type { SetSessionConfigOptionResponse } from '@agentclientprotocol/sdk'
import { openAgentLab } from '../support/agent-lab.ts'
import { formats, openScriptedSession, sumServer, type ScriptedSession } from '../support/acp-scripted.ts'

type Format = (typeof formats)[number]

/** The fields of a request that set the level of thinking. */
function wishOf(body: unknown): unknown {
  const { thinking, output_config, max_tokens, reasoning, reasoning_effort, generationConfig } =
    body as Record<string, unknown>
  const google = (generationConfig as Record<string, unknown> | undefined)?.['thinkingConfig']
  const budget = (thinking as { budget_tokens?: number } | undefined)?.budget_tokens
  return JSON.parse(
    JSON.stringify({
      thinking,
      output_config,
      reasoning,
      reasoning_effort,
      google,
      ...(budget && { max_tokens }),
    }),
  )
}

async function setLevel({ editor, sessionId }: ScriptedSession, value: string) {
  return editor.request<SetSessionConfigOptionResponse>('session/set_config_option', {
    sessionId,
    configId: 'thought_level',
    value,
  })
}

function levelOption({ configOptions }: SetSessionConfigOptionResponse) {
  const option = configOptions.find(({ id }) => id === 'thought_level')
  if (option?.type !== 'select') return undefined
  return {
    category: option.category,
    current: option.currentValue,
    values: option.options.map((each) => ('value' in each ? each.value : '')),
  }
}

const budgetOf = (share: number) => ({ type: 'enabled', budget_tokens: 64_000 * share })

/** The request of each level. */
const wishes: Record<
  Format,
  readonly { readonly model: string; readonly sends: Readonly<Record<string, unknown>> }[]
> = {
  anthropic: [
    {
      model: 'anthropic/claude-opus-4-8',
      sends: {
        default: { thinking: { type: 'adaptive', display: 'summarized' } },
        off: { thinking: { type: 'disabled' } },
        low: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
        medium: {
          thinking: { type: 'adaptive', display: 'summarized' },
          output_config: { effort: 'medium' },
        },
        high: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
      },
    },
    {
      model: 'anthropic/claude-sonnet-4-5',
      sends: {
        default: {},
        off: { thinking: { type: 'disabled' } },
        low: { thinking: budgetOf(0.1), max_tokens: 64_000 },
        medium: { thinking: budgetOf(0.3), max_tokens: 64_000 },
        high: { thinking: budgetOf(0.6), max_tokens: 64_000 },
      },
    },
  ],
  'openai-responses': [
    {
      model: 'openai/gpt-5.4',
      sends: {
        default: { reasoning: { summary: 'auto' } },
        off: { reasoning: { effort: 'none' } },
        low: { reasoning: { effort: 'low', summary: 'auto' } },
        medium: { reasoning: { effort: 'medium', summary: 'auto' } },
        high: { reasoning: { effort: 'high', summary: 'auto' } },
      },
    },
  ],
  google: [
    {
      model: 'google/gemini-2.5-flash',
      sends: {
        default: { google: { includeThoughts: true } },
        off: { google: { thinkingBudget: 0 } },
        low: { google: { thinkingBudget: 6554, includeThoughts: true } },
        medium: { google: { thinkingBudget: 19_661, includeThoughts: true } },
        high: { google: { thinkingBudget: 24_576, includeThoughts: true } },
      },
    },
    {
      model: 'google/gemini-3.5-flash',
      sends: {
        default: { google: { includeThoughts: true } },
        low: { google: { thinkingLevel: 'low', includeThoughts: true } },
        medium: { google: { thinkingLevel: 'medium', includeThoughts: true } },
        high: { google: { thinkingLevel: 'high', includeThoughts: true } },
      },
    },
  ],
  openai: [
    {
      model: 'openai/gpt-oss-120b',
      sends: {
        default: {},
        low: { reasoning_effort: 'low' },
        medium: { reasoning_effort: 'medium' },
        high: { reasoning_effort: 'high' },
      },
    },
  ],
}

const cases = formats.flatMap((vendor) =>
  wishes[vendor].map(({ model, sends }) => ({ vendor, model, sends })),
)

describe.each(cases)('the level of thinking of $model', ({ vendor, model, sends }) => {
  it('is an option of the session, and each choice is sent with the next prompt', async () => {
    await using session = await openScriptedSession({
      vendor,
      agent: { model },
      script: () => ({ text: 'hello' }),
    })
    for (const [level, wish] of Object.entries(sends)) {
      const option = levelOption(await setLevel(session, level))
      expect(option).toEqual({ category: 'thought_level', current: level, values: Object.keys(sends) })
      await session.editor.prompt(session.sessionId, 'go')
      expect(wishOf(session.model.requests.at(-1)?.body)).toEqual(wish)
    }
  })
})

describe.each(formats)('thoughts in the format %s', (vendor) => {
  it('are shown as thoughts, and go back with their signature while calls follow', async () => {
    const models = {
      anthropic: 'anthropic/claude-opus-4-8',
      'openai-responses': 'openai/gpt-5.4',
      google: 'google/gemini-3.5-flash',
      openai: 'openai/gpt-oss-120b',
    }
    await using session = await openScriptedSession({
      vendor,
      agent: { model: models[vendor], mode: 'auto', thoughtLevel: 'high' },
      mcpServers: [sumServer()],
      script: [
        {
          thoughts: { text: 'I should add.', signature: 'c2lnbmVk' },
          toolCalls: [{ name: 'sums__add', args: { a: 1, b: 2 }, signature: 'c2lnbmVk' }],
        },
        { text: '3' },
      ],
    })
    const { editor, sessionId } = session
    await editor.prompt(sessionId, 'How much is 1 + 2?')
    const thoughts = editor.updates(sessionId).flatMap((update) => {
      if (update.sessionUpdate !== 'agent_thought_chunk' || update.content.type !== 'text') return []
      return [update.content.text]
    })
    expect(thoughts.join('')).toBe('I should add.')
    expect(editor.text(sessionId)).toBe('3')
    const back = session.model.requests[1]?.messages
      .flatMap(({ parts }) => parts)
      .find(({ type }) => type === 'thought')
    // Chat completions sign nothing. Gemini signs its calls.
    const signature = vendor === 'openai' ? {} : { signature: 'c2lnbmVk' }
    if (vendor === 'google')
      expect(JSON.stringify(session.model.requests[1]?.body)).toContain('"thoughtSignature":"c2lnbmVk"')
    else expect(back).toEqual({ type: 'thought', text: 'I should add.', ...signature })
  })
})

test('a model without levels has no option, and the choice of the session returns with a model that has them', async () => {
  await using session = await openScriptedSession({
    agent: { model: 'anthropic/claude-opus-4-8' },
    script: () => ({ text: 'hello' }),
  })
  const { editor, sessionId } = session
  const setModel = (value: string) =>
    editor.request<SetSessionConfigOptionResponse>('session/set_config_option', {
      sessionId,
      configId: 'model',
      value,
    })
  await setLevel(session, 'low')
  expect(levelOption(await setModel('offline'))).toBeUndefined()
  await expect(setLevel(session, 'high')).rejects.toMatchObject({ code: -32602 })
  expect(levelOption(await setModel('anthropic/claude-opus-4-8'))?.current).toBe('low')
  await expect(setLevel(session, 'extreme')).rejects.toMatchObject({ code: -32602 })
})

test('the agent file sets the level, the session overrides it, and it is stored with the session', async () => {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({ thoughtLevel: 'high' })
  const levels = () =>
    lab.model.requests.map(({ body }) => (wishOf(body) as { thinking?: { type: string } }).thinking?.type)
  let id = ''
  {
    await using editor = await lab.open()
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    id = sessionId
    await editor.prompt(id, 'one')
    await editor.request('session/set_config_option', { sessionId, configId: 'thought_level', value: 'off' })
    await editor.prompt(id, 'two')
  }
  await using editor = await lab.open()
  await editor.initialize()
  await editor.request('session/resume', { sessionId: id, cwd: lab.path, mcpServers: [] })
  await editor.prompt(id, 'three')
  expect(levels()).toEqual(['enabled', 'disabled', 'disabled'])
})

test('an OpenAI organization that is not verified gets answers without summaries, and is refused once', async () => {
  const message =
    'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com'
  const script = ({ body }: { readonly body: unknown }) =>
    JSON.stringify(body).includes('"summary":"auto"')
      ? { status: 400, errorMessage: message }
      : { text: 'hello' }
  await using session = await openScriptedSession({
    vendor: 'openai-responses',
    agent: { thoughtLevel: 'low' },
    script,
  })
  for (const prompt of ['one', 'two']) await session.editor.prompt(session.sessionId, prompt)
  expect(session.editor.text(session.sessionId)).toBe('hellohello')
  expect(session.model.requests.map(({ body }) => wishOf(body))).toEqual([
    { reasoning: { effort: 'low', summary: 'auto' } },
    { reasoning: { effort: 'low' } },
    { reasoning: { effort: 'low' } },
  ])
})
