import { load, openSessionLab } from '../support/acp-sessions.ts'
import { expect, test } from 'vitest'
import type { SessionConfigOption, SetSessionConfigOptionResponse } from '@agentclientprotocol/sdk'
import type { AgentConfig } from '@ostler/agent-api'
import { openAcpInProcess, type AcpInProcess } from '../support/acp-harness.ts'

const env = { ANTHROPIC_API_KEY: 'sk-ant-not-a-real-key' }

async function openSession(
  agent: AgentConfig = {},
): Promise<{ editor: AcpInProcess; sessionId: string; options: SessionConfigOption[] } & AsyncDisposable> {
  const editor = openAcpInProcess({ agent: { env, ...agent } })
  await editor.initialize()
  const { sessionId, configOptions } = await editor.newSession({ cwd: '/' })
  await editor.waitForUpdate(sessionId, 'available_commands_update')
  return {
    editor,
    sessionId,
    options: configOptions ?? [],
    [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose](),
  }
}

function valueOf(options: readonly SessionConfigOption[], id: string): unknown {
  const option = options.find((candidate) => candidate.id === id)
  return option?.type === 'select' ? option.currentValue : undefined
}

test('every offered value can be selected, and the answer is the complete list', async () => {
  await using session = await openSession({ model: 'anthropic/claude-sonnet-5-5' })
  const { editor, sessionId, options } = session
  // The last model is the offline one, which has no levels of thinking, so the models come last.
  for (const option of options.toSorted((a, b) => Number(a.id === 'model') - Number(b.id === 'model'))) {
    if (option.type !== 'select') throw new Error('only selects are offered')
    for (const choice of option.options) {
      if (!('value' in choice)) throw new Error('no groups are offered')
      const params = { sessionId, configId: option.id, value: choice.value }
      const { configOptions } = await editor.request<SetSessionConfigOptionResponse>(
        'session/set_config_option',
        params,
      )
      const ids = options
        .map(({ id }) => id)
        .filter((id) => choice.value !== 'offline' || id !== 'thought_level')
      expect(configOptions.map(({ id }) => id)).toEqual(ids)
      expect(valueOf(configOptions, option.id)).toBe(choice.value)
    }
  }
})

test("a session's initial model stays on offer, even one that is in no list", async () => {
  await using session = await openSession({ model: 'anthropic/claude-of-our-own' })
  const { editor, sessionId, options } = session
  const select = (value: string) =>
    editor.request<SetSessionConfigOptionResponse>('session/set_config_option', {
      sessionId,
      configId: 'model',
      value,
    })
  const valuesOf = (list: readonly SessionConfigOption[]) =>
    list.flatMap((option) =>
      option.id === 'model' && option.type === 'select'
        ? option.options.map((choice) => ('value' in choice ? choice.value : choice.group))
        : [],
    )
  expect(valuesOf(options)).toContain('anthropic/claude-of-our-own')
  const away = await select('offline')
  expect(valuesOf(away.configOptions)).toEqual(valuesOf(options))
  const back = await select('anthropic/claude-of-our-own')
  expect(valueOf(back.configOptions, 'model')).toBe('anthropic/claude-of-our-own')
  expect(valuesOf(back.configOptions)).toEqual(valuesOf(options))
})

test('the mode as an option and as an ACP mode stay in sync, and each change is reported once', async () => {
  await using session = await openSession()
  const { editor, sessionId } = session
  const told = () =>
    editor.updates(sessionId).flatMap((update) => {
      if (update.sessionUpdate === 'current_mode_update') return [`mode ${update.currentModeId}`]
      return update.sessionUpdate === 'config_option_update'
        ? [`option ${valueOf(update.configOptions, 'mode')}`]
        : []
    })
  expect(await editor.request('session/set_mode', { sessionId, modeId: 'auto' })).toEqual({})
  await editor.waitForUpdate(sessionId, 'config_option_update')
  expect(told()).toEqual(['option auto'])
  await editor.request('session/set_config_option', { sessionId, configId: 'mode', value: 'always-ask' })
  await editor.waitForUpdate(sessionId, 'current_mode_update')
  expect(told()).toEqual(['option auto', 'mode always-ask'])
})

test('setting the current value changes nothing and is not reported', async () => {
  await using session = await openSession()
  const { editor, sessionId, options } = session
  const before = editor.updates(sessionId).length
  for (const id of ['mode', 'model']) {
    const answer = await editor.request<SetSessionConfigOptionResponse>('session/set_config_option', {
      sessionId,
      configId: id,
      value: valueOf(options, id),
    })
    expect(answer.configOptions).toEqual(options)
  }
  await editor.request('session/set_mode', { sessionId, modeId: 'always-ask' })
  await editor.request('authenticate', { methodId: 'environment' })
  expect(editor.updates(sessionId)).toHaveLength(before)
})

test('a model change is reported only by its response, except for the commands that change with it', async () => {
  await using session = await openSession()
  const { editor, sessionId } = session
  const before = editor.updates(sessionId).length
  await editor
    .request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'anthropic/claude-sonnet-4-5',
    })
    .catch(() => undefined)
  const kinds = editor
    .updates(sessionId)
    .slice(before)
    .map(({ sessionUpdate }) => sessionUpdate)
  expect(kinds.filter((kind) => kind !== 'available_commands_update')).toEqual([])
})

test.each([
  ['an unknown option', { configId: 'colour', value: 'red' }],
  ['an unknown mode', { configId: 'mode', value: 'yolo' }],
  ['an unknown model', { configId: 'model', value: 'nobody/nothing' }],
  ['a value of another type', { configId: 'mode', type: 'boolean', value: true }],
])('%s is refused and changes nothing', async (_, params) => {
  await using session = await openSession()
  const { editor, sessionId, options } = session
  await expect(editor.request('session/set_config_option', { sessionId, ...params })).rejects.toMatchObject({
    code: -32602,
  })
  const answer = await editor.request<SetSessionConfigOptionResponse>('session/set_config_option', {
    sessionId,
    configId: 'mode',
    value: 'always-ask',
  })
  expect(answer.configOptions).toEqual(options)
})

test('the refusal of a model says whether there is no such model, or no key', async () => {
  await using session = await openSession()
  const { editor, sessionId } = session
  const select = (value: string) =>
    editor.request('session/set_config_option', { sessionId, configId: 'model', value })
  await expect(select('nobody/nothing')).rejects.toMatchObject({
    message: 'Invalid params: value is not one of the models',
  })
  await expect(select('openai/gpt-5')).rejects.toMatchObject({
    message: 'Invalid params: value is a model without an API key',
  })
})

test('an unknown mode is refused', async () => {
  await using session = await openSession()
  const { editor, sessionId } = session
  await expect(editor.request('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toMatchObject({
    code: -32602,
    data: { field: 'modeId' },
  })
})

test('the mode read-only is kept with the session, and load says so', async () => {
  await using lab = await openSessionLab(() => ({ text: 'hello' }))
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.request('session/set_mode', { sessionId, modeId: 'read-only' })
  await editor.prompt(sessionId, 'hi')
  await using other = await lab.open()
  const { response } = await load(other, { sessionId, cwd: lab.path })
  expect(response.modes?.currentModeId).toBe('read-only')
  expect(response.modes?.availableModes.map(({ id }) => id)).toEqual([
    'read-only',
    'always-ask',
    'trusted-only',
    'auto',
  ])
  expect(response.configOptions).toContainEqual(
    expect.objectContaining({ id: 'mode', currentValue: 'read-only' }),
  )
  await other.prompt(sessionId, 'again')
  expect(lab.model.requests.at(-1)?.system).toContain('This session is read-only')
})
