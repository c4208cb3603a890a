import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { defineTool, textResult } from '@ostler/agent-api'
import { describe, expect, test } from 'vitest'
import { load, openSessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'
import type { LoopbackVendor } from '../support/loopback-model/start-loopback-model.ts'
import { isSummaryRequest, textIn, withWindow } from '../support/loopback-model/window.ts'
import { until } from '../support/processes.ts'

const vendors = [
  'anthropic',
  'openai',
  'openai-responses',
  'google',
] as const satisfies readonly LoopbackVendor[]
const size = 20_000
/** About 3,000 tokens. */
const page = (name: string) => `${name} ${'lorem ipsum '.repeat(800)}`

const capabilities = {
  compaction: { session: { compaction: {} } },
  notices: { session: { notices: {} } },
  neither: {},
} as const

function echo(request: ModelRequest): Reply {
  const last = request.messages.at(-1)?.parts.at(-1)
  return { text: `You said ${/\w+/.exec(last !== undefined && 'text' in last ? last.text : '')?.[0]}` }
}

const textsOf = (request: ModelRequest | undefined) => (request?.messages ?? []).map(textIn).join('\n')

const updatesOf = <K extends SessionUpdate['sessionUpdate']>(updates: readonly SessionUpdate[], kind: K) =>
  updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind,
  )

describe.each(vendors)('%s', (vendor) => {
  test('a conversation that is refused because of its length continues, and the editor shows why', async () => {
    await using lab = await openSessionLab(withWindow({ size, vendor }, echo), { vendor })
    await using editor = await lab.open({ capabilities: capabilities.compaction })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'FACT the mare is grey')
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
      expect(await editor.prompt(sessionId, page(name))).toEqual({ stopReason: 'end_turn' })
      expect(editor.text(sessionId)).toContain(`You said ${name}`)
    }
    const compactions = updatesOf(editor.updates(sessionId), 'compaction_update')
    expect(compactions.map(({ status }) => status)).toEqual(['in_progress', 'completed'])
    expect(new Set(compactions.map(({ compactionId }) => compactionId)).size).toBe(1)
    expect(JSON.stringify(compactions[1]?.summary)).toContain('the mare is grey')
    expect(editor.text(sessionId)).not.toContain('exceeds')
    const usage = updatesOf(editor.updates(sessionId), 'usage_update')
    // From now on, the window has the size that the refusal named.
    expect(usage.at(-1)?.size).toBeLessThan(size * 1.2)
    expect(
      usage.some(
        ({ used, _meta }, index) =>
          _meta?.['ostler/estimated'] === true && used < (usage[index - 1]?.used ?? 0),
      ),
    ).toBe(true)
    expect(textsOf(lab.model.requests.at(-1))).toContain('the mare is grey')
    expect(textsOf(lab.model.requests.at(-1))).not.toContain('one lorem')
  })

  test('a message that is longer than the window is named, and the next prompt works', async () => {
    await using lab = await openSessionLab(withWindow({ size, vendor }, echo), { vendor })
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'hello')
    await editor.prompt(sessionId, page('vast').repeat(10))
    expect(editor.text(sessionId)).toMatch(
      /Your last message alone is about [\d,]+ tokens, but .* reads about [\d,]+.*Send a shorter one/,
    )
    expect(await editor.prompt(sessionId, 'small again')).toEqual({ stopReason: 'end_turn' })
    expect(editor.text(sessionId)).toMatch(/You said small$/)
    expect(textsOf(lab.model.requests.at(-1))).not.toContain('vast')
    await using other = await lab.open()
    const { updates } = await load(other, { sessionId, cwd: lab.path })
    expect(JSON.stringify(updates)).toContain('vast')
    await other.prompt(sessionId, 'after loading')
    expect(textsOf(lab.model.requests.at(-1))).not.toContain('vast')
  })
})

/** The fields of a request that set the level of thinking. */
const levelIn = ({ body }: ModelRequest) => {
  const { thinking, reasoning, generationConfig } = body as Record<
    string,
    { type?: string; effort?: string; thinkingConfig?: object }
  >
  return JSON.stringify([thinking?.type, reasoning?.effort, generationConfig?.thinkingConfig])
}

describe.each(vendors)('a summary of %s', (vendor) => {
  const type = vendor === 'openai-responses' ? 'openai' : vendor
  const providers = { [type]: { type, contextSize: 60_000 } }

  test('that used up its tokens on thoughts is requested once more, shorter and without them', async () => {
    const answers: Reply[] = [
      { thoughts: 'hm, hm', text: '', stop: 'max_tokens' },
      { text: '## Goal\nTo feed the grey mare' },
    ]
    const summarize = () => answers.shift() ?? { text: 'asked too often' }
    await using lab = await openSessionLab(withWindow({ size: 100_000, vendor, summarize }, echo), {
      vendor,
      agent: { providers, thoughtLevel: 'high' },
    })
    await using editor = await lab.open({ capabilities: capabilities.compaction })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    for (const name of ['one', 'two']) await editor.prompt(sessionId, page(name).repeat(4))
    await editor.prompt(sessionId, '/compact')
    await editor.prompt(sessionId, 'what now?')
    expect(textsOf(lab.model.requests.at(-1))).toContain('To feed the grey mare')
    const [before, first, second] = lab.model.requests.slice(1)
    const words = (request: ModelRequest | undefined) =>
      Number(/at most (\d+) words/.exec(textsOf(request))?.[1])
    expect(words(second)).toBeLessThan(words(first))
    expect(levelIn(first!)).toBe(levelIn(before!))
    if (vendor !== 'openai') {
      // Half of a fifth of the window; the other half is for the thoughts.
      expect(words(first)).toBeLessThanOrEqual(2_400)
      expect(levelIn(second!)).not.toBe(levelIn(first!))
    }
    expect(second?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
  })

  test('that is cut twice says so', async () => {
    const summarize = () => ({ text: '## Goal\nTo feed the', stop: 'max_tokens' as const })
    await using lab = await openSessionLab(withWindow({ size: 100_000, vendor, summarize }, echo), {
      vendor,
      agent: { providers },
    })
    await using editor = await lab.open({ capabilities: capabilities.compaction })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    for (const name of ['one', 'two']) await editor.prompt(sessionId, page(name).repeat(4))
    await editor.prompt(sessionId, '/compact')
    await editor.prompt(sessionId, 'what now?')
    expect(lab.model.requests.filter(isSummaryRequest)).toHaveLength(2)
    expect(textsOf(lab.model.requests.at(-1))).toContain('To feed the\n[The rest of this summary is missing')
  })
})

test('a smaller window that a refusal has shown stays known after /clear, and after another model was used', async () => {
  await using lab = await openSessionLab(withWindow({ size, vendor: 'anthropic' }, echo))
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const sizeNow = () => updatesOf(editor.updates(sessionId), 'usage_update').at(-1)?.size
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    await editor.prompt(sessionId, page(name))
  const learned = sizeNow()
  expect(learned).toBeLessThan(size * 1.2)
  await editor.prompt(sessionId, '/clear')
  expect(sizeNow()).toBe(learned)
  await editor.prompt(sessionId, '/model anthropic/claude-haiku-4-5')
  await editor.prompt(sessionId, 'hello')
  expect(sizeNow()).toBeGreaterThan(learned ?? 0)
  await editor.prompt(sessionId, '/model anthropic/claude-sonnet-4-5')
  await editor.prompt(sessionId, 'hello again')
  expect(sizeNow()).toBe(learned)
})

test('an editor with notices gets a notice', async () => {
  await using lab = await openSessionLab(withWindow({ size, vendor: 'anthropic' }, echo))
  await using editor = await lab.open({ capabilities: capabilities.notices })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    await editor.prompt(sessionId, page(name))
  const notices = updatesOf(editor.updates(sessionId), 'notice').filter(({ title }) =>
    title.includes('summary'),
  )
  expect(notices).toMatchObject([
    { severity: 'info', description: expect.stringMatching(/About [\d,]+ tokens became [\d,]+/) },
  ])
  expect(updatesOf(editor.updates(sessionId), 'compaction_update')).toEqual([])
})

test('any other editor gets a line of text, also when it loads the session', async () => {
  await using lab = await openSessionLab(withWindow({ size, vendor: 'anthropic' }, echo))
  await using editor = await lab.open({ capabilities: capabilities.neither })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    await editor.prompt(sessionId, page(name))
  expect(editor.text(sessionId)).toMatch(
    /> Older messages were replaced with a summary for the model\. About/,
  )
  await using other = await lab.open({ capabilities: capabilities.neither })
  const { updates } = await load(other, { sessionId, cwd: lab.path })
  expect(JSON.stringify(updates)).toContain('> Older messages were replaced')
})

test('a loaded session shows everything, and its model reads the same as before', async () => {
  await using lab = await openSessionLab(withWindow({ size, vendor: 'openai' }, echo), { vendor: 'openai' })
  await using editor = await lab.open({ capabilities: capabilities.compaction })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const name of ['FACTone', 'two', 'three', 'four', 'five', 'six', 'seven'])
    await editor.prompt(sessionId, page(name))
  const before = lab.model.requests.at(-1)
  await using other = await lab.open({ capabilities: capabilities.compaction })
  const { updates } = await load(other, { sessionId, cwd: lab.path })
  for (const name of ['FACTone', 'two', 'seven']) expect(JSON.stringify(updates)).toContain(`${name} lorem`)
  expect(updatesOf(updates, 'compaction_update')).toEqual(
    updatesOf(editor.updates(sessionId), 'compaction_update'),
  )
  await other.prompt(sessionId, 'and now?')
  const after = lab.model.requests.at(-1)
  expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
  expect(textOf(after?.messages.at(-1))).toBe('and now?')
})

test('old results are shortened before anything is summarized', async () => {
  const read = defineTool({
    name: 'read',
    description: 'Reads a page',
    inputSchema: { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] },
    execute: ({ page: name }) => Promise.resolve(textResult(page(String(name)).repeat(2))),
  })
  const script = (request: ModelRequest): Reply =>
    request.messages.at(-1)?.role === 'tool'
      ? { text: 'read' }
      : { toolCalls: [{ name: 'read', args: { page: textIn(request.messages.at(-1)) } }] }
  await using lab = await openSessionLab(withWindow({ size: 40_000, vendor: 'anthropic' }, script), {
    agent: { tools: { mode: 'open', tools: [read] }, mode: 'auto' },
  })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
    await editor.prompt(sessionId, name)
  expect(lab.model.requests.filter(isSummaryRequest)).toEqual([])
  const results = lab.model.requests
    .at(-1)
    ?.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])),
    )
  expect(results?.[0]).toMatch(
    /^one lorem[^]*characters of this result were left out to make room\. Repeat the call/,
  )
  expect(results?.at(-1)).toBe(page('seven').repeat(2))
  await using other = await lab.open()
  const { updates } = await load(other, { sessionId, cwd: lab.path })
  expect(JSON.stringify(updates)).not.toContain('left out to make room')
})

describe('by hand', () => {
  test('/compact replaces the older messages, and keeps the requested topics', async () => {
    await using lab = await openSessionLab(withWindow({ size: 100_000, vendor: 'anthropic' }, echo))
    await using editor = await lab.open({ capabilities: capabilities.compaction })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    for (const name of ['one', 'two', 'three']) await editor.prompt(sessionId, page(name).repeat(8))
    expect(await editor.prompt(sessionId, '/compact the names of the horses')).toEqual({
      stopReason: 'end_turn',
    })
    expect(textIn(lab.model.requests.at(-1)?.messages.at(-1))).toContain(
      'to keep in particular: the names of the horses',
    )
    expect(editor.text(sessionId)).toMatch(/The model now reads a summary: about [\d,]+ tokens/)
    // The request for the summary begins like the previous one.
    const [before, summary] = lab.model.requests.slice(-2)
    expect(summary?.messages.length).toBeGreaterThan(4)
    expect(summary?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
    expect(summary?.tools).toEqual(before?.tools)
    await editor.prompt(sessionId, 'what now?')
    expect(textsOf(lab.model.requests.at(-1))).not.toContain('one lorem')
    expect(lab.model.requests.at(-1)?.messages).toHaveLength(1)
    expect(await editor.prompt(sessionId, '/compact')).toEqual({ stopReason: 'end_turn' })
    expect(editor.text(sessionId)).toContain('too short to summarize')
  })

  test('/compact leaves everything as it is if the model writes nothing', async () => {
    const script = withWindow({ size: 100_000, vendor: 'anthropic', summarize: () => ({ text: '' }) }, echo)
    await using lab = await openSessionLab(script)
    await using editor = await lab.open({ capabilities: capabilities.compaction })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    for (const name of ['one', 'two', 'three']) await editor.prompt(sessionId, page(name).repeat(8))
    await editor.prompt(sessionId, '/compact')
    expect(updatesOf(editor.updates(sessionId), 'compaction_update').at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('empty'),
    })
    await editor.prompt(sessionId, 'what now?')
    expect(textsOf(lab.model.requests.at(-1))).toContain('one lorem')
  })

  test('/clear lets the model forget, not the person', async () => {
    await using lab = await openSessionLab(echo)
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'remember the mare')
    await editor.prompt(sessionId, '/clear')
    expect(updatesOf(editor.updates(sessionId), 'usage_update').at(-1)).toMatchObject({ used: 0 })
    await editor.prompt(sessionId, 'hello')
    expect(lab.model.requests.at(-1)?.messages).toHaveLength(1)
    await editor.prompt(sessionId, '/clear everything')
    expect(editor.text(sessionId)).toContain('Usage: `/clear`')
    await using other = await lab.open()
    const { updates } = await load(other, { sessionId, cwd: lab.path })
    expect(JSON.stringify(updates)).toContain('remember the mare')
    await other.prompt(sessionId, 'still there?')
    expect(textsOf(lab.model.requests.at(-1))).not.toContain('mare')
  })
})

test('if no summary can be written and no room is left, the beginnings of the prompts take its place', async () => {
  const script = withWindow({ size, vendor: 'anthropic', summarize: () => ({ text: '' }) }, echo)
  await using lab = await openSessionLab(script)
  await using editor = await lab.open({ capabilities: capabilities.compaction })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    await editor.prompt(sessionId, page(name))
  expect(editor.text(sessionId)).toContain('You said six')
  expect(updatesOf(editor.updates(sessionId), 'compaction_update')).toContainEqual(
    expect.objectContaining({
      status: 'completed',
      error: expect.stringContaining('The model wrote no summary'),
    }),
  )
  expect(textsOf(lab.model.requests.at(-1))).toContain('- one lorem')
})

test('tools that fill most of the window leave room for a conversation', async () => {
  const wide = Array.from({ length: 30 }, (_, index) =>
    defineTool({
      name: `tool${index}`,
      description: `Does thing ${index}. ${'It is described at length. '.repeat(30)}`,
      execute: () => 'done',
    }),
  )
  await using lab = await openSessionLab(withWindow({ size: 16_000, vendor: 'ollama' }, echo), {
    vendor: 'ollama',
    agent: {
      tools: { mode: 'open', tools: wide },
      mode: 'auto',
      model: 'ollama/qwen3',
      providers: { ollama: { type: 'openai-compatible', contextSize: 16_000 } },
    },
  })
  await using editor = await lab.open({ capabilities: capabilities.compaction })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (let turn = 0; turn < 30; turn++)
    await editor.prompt(sessionId, `turn${turn} ${'lorem ipsum '.repeat(25)}`)
  expect(editor.text(sessionId).match(/You said turn\d+/g)).toHaveLength(30)
  // There is not a summary for each prompt.
  expect(lab.model.requests.filter(isSummaryRequest).length).toBeLessThan(8)
  expect(lab.model.requests.length).toBeGreaterThan(30)
})

test('a small model writes the summaries, if there is one', async () => {
  await using lab = await openSessionLab(withWindow({ size, vendor: 'anthropic' }, echo), {
    agent: { smallModel: 'anthropic/claude-haiku-4-5' },
  })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const name of ['FACTone', 'two', 'three', 'four', 'five', 'six'])
    await editor.prompt(sessionId, page(name))
  expect(lab.model.requests.filter(isSummaryRequest).map(({ model }) => model)).toEqual(['claude-haiku-4-5'])
  expect(lab.model.requests.at(-1)?.model).toBe('claude-sonnet-4-5')
  expect(textsOf(lab.model.requests.at(-1))).toContain('<summary>')
})

test('a small model that accepts fewer tools still writes summaries', async () => {
  await using lab = await openSessionLab(() => ({ text: 'ok' }))
  const refuseMany = ({ tools }: ModelRequest): Reply =>
    tools.length > 128
      ? { status: 400, errorMessage: `Invalid 'tools': array too long (${tools.length})` }
      : { text: '## Goal\nTo feed the horses' }
  await using side = await openSessionLab(refuseMany, { vendor: 'openai' })
  const tools = Array.from({ length: 150 }, (_, index) =>
    defineTool({ name: `tool_${index}`, description: 'x', execute: () => 'ok' }),
  )
  const providers = {
    work: { type: 'anthropic' as const, baseUrl: lab.model.url, apiKey: 'k', contextSize: 40_000 },
    side: {
      type: 'openai-compatible' as const,
      baseUrl: `${side.model.url}/v1`,
      apiKey: 'k',
      contextSize: 40_000,
    },
  }
  const agent = {
    model: 'work/claude-sonnet-4-5',
    smallModel: 'side/tiny',
    providers,
    tools: { mode: 'open' as const, tools },
  }
  await using editor = await lab.open({ agent })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (let turn = 0; turn < 3; turn++) await editor.prompt(sessionId, 'word '.repeat(4_000))
  await editor.prompt(sessionId, '/compact')
  expect(editor.text(sessionId)).toContain('The model now reads a summary')
  await editor.prompt(sessionId, 'go on')
  expect(textsOf(lab.model.requests.at(-1))).toContain('To feed the horses')
})

test('a picture that a local server cannot show its model is refused once, and the next prompt works', async () => {
  const refuse = (request: ModelRequest): Reply =>
    JSON.stringify(request.messages).includes('"file"')
      ? { status: 500, errorMessage: 'image input is not supported' }
      : echo(request)
  await using lab = await openSessionLab(refuse, { vendor: 'ollama' })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const picture = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  await editor.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'what is this?' }, picture],
  })
  expect(editor.text(sessionId)).toContain('image input is not supported')
  expect(lab.model.requests).toHaveLength(1)
  await editor.prompt(sessionId, 'hello')
  expect(editor.text(sessionId)).toMatch(/You said hello$/)
})

test('a prompt that failed is not read as one message with the next', async () => {
  const replies: Reply[] = [
    { status: 400, errorMessage: 'messages.0: invalid' },
    { dropConnection: true },
    { text: 'hi' },
  ]
  await using lab = await openSessionLab((_request, index) =>
    index >= 1 && index <= 4 ? { dropConnection: true } : index === 0 ? (replies[0] ?? {}) : { text: 'hi' },
  )
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'refused')
  await editor.prompt(sessionId, 'deploy to staging')
  await editor.prompt(sessionId, 'never mind')
  expect(lab.model.requests.at(-1)?.messages.map((message) => [message.role, textIn(message)])).toEqual([
    ['user', 'deploy to staging'],
    ['assistant', expect.stringContaining('not answered')],
    ['user', 'never mind'],
  ])
})

test('killed in the middle of a compaction: nothing is lost', async () => {
  let isKilled = false
  const script = withWindow(
    {
      size,
      vendor: 'anthropic',
      summarize: () => (isKilled ? { text: 'FACTS' } : { hang: 'after_start', text: 'x' }),
    },
    echo,
  )
  await using lab = await openSessionLab(script)
  await using editor = await lab.start({ capabilities: capabilities.compaction })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
  void (async () => {
    for (const name of names) await editor.prompt(sessionId, page(name))
  })().catch(() => undefined)
  await until('a request for a summary', () => lab.model.requests.some(isSummaryRequest))
  await editor.waitForUpdate(sessionId, 'compaction_update')
  process.kill(editor.pid, 'SIGKILL')
  await editor.exit
  isKilled = true
  const prompts = editor.transcript.filter(
    ({ direction, message }) => direction === 'sent' && message.method === 'session/prompt',
  ).length
  await using other = await lab.open({ capabilities: capabilities.compaction })
  const { updates } = await load(other, { sessionId, cwd: lab.path })
  for (const name of names.slice(0, prompts)) expect(JSON.stringify(updates)).toContain(`${name} lorem`)
  expect(updatesOf(updates, 'compaction_update').map(({ status }) => status)).toEqual([
    'in_progress',
    'cancelled',
  ])
  expect(await other.prompt(sessionId, 'go on')).toEqual({ stopReason: 'end_turn' })
  // The new process asks for the summary of the same messages again.
  const summary = lab.model.requests.findLast(isSummaryRequest)
  expect(textsOf(summary)).toContain('one lorem')
  expect(other.text(sessionId)).toContain('You said go')
})
