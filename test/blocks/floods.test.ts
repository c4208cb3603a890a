import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAcpProcess, patientWaitMs, type AcpProcess } from '../support/acp-harness.ts'
import { startLoopbackModel, type ModelRequest, type Reply } from '../support/loopback-model/index.ts'
import { openChildLoopMonitor, processWorkMaxMs, type ChildLoopMonitor } from '../support/loop-monitor.ts'
import { fixturePath, startHttpFixture } from '../support/mcp-clients.ts'

/** A process of Ostler that has answered one prompt, so that all code is loaded. */
interface WarmLab extends AsyncDisposable {
  readonly editor: AcpProcess
  readonly monitor: ChildLoopMonitor
  /** Opens a session in which the model gives these replies. */
  open(replies: readonly Reply[], mcpServers?: readonly unknown[]): Promise<Flooded>
}

interface Flooded {
  readonly sessionId: string
  /** The requests to the model since the session was opened. */
  requests(): readonly ModelRequest[]
}

let lab: WarmLab
beforeAll(async () => void (lab = await openWarmLab()))
afterAll(() => lab[Symbol.asyncDispose]())

async function openWarmLab(): Promise<WarmLab> {
  await using opened = new AsyncDisposableStack()
  let left: Reply[] = []
  const script = () => left.shift() ?? { text: 'There are no more replies.' }
  const monitor = opened.use(await openChildLoopMonitor())
  const model = opened.use(await startLoopbackModel({ vendor: 'anthropic', script }))
  // Node writes its compile cache shortly after the start, which takes a while.
  const env = { ...model.env, NODE_DISABLE_COMPILE_CACHE: '1', OSTLER_CONNECT_WAIT: `${patientWaitMs}ms` }
  const editor = opened.use(
    await openAcpProcess({ args: ['--model', model.modelId], env, nodeArgs: monitor.nodeArgs }),
  )
  await editor.initialize()
  const open: WarmLab['open'] = async (replies, mcpServers = []) => {
    left = [...replies]
    const before = model.requests.length
    const { sessionId } = await editor.newSession({ cwd: editor.home, mcpServers })
    await monitor.reset()
    return { sessionId, requests: () => model.requests.slice(before) }
  }
  const { sessionId } = await open([{ toolCalls: [{ name: 'nothing', args: {} }] }, { text: 'warm' }])
  await editor.prompt(sessionId, 'warm up')
  const all = opened.move()
  return { editor, monitor, open, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('of five thousand calls in one answer only the first ones run, and the model is told about the rest', async () => {
  const toolCalls = Array.from({ length: 5_000 }, (_, index) => ({ name: 'nothing', args: { index } }))
  const { editor, monitor } = lab
  const { sessionId, requests } = await lab.open([{ toolCalls }, { text: 'done' }])
  expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
  expect(await monitor.longestWorkMs()).toBeLessThan(processWorkMaxMs)
  expect(editor.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toHaveLength(
    65,
  )
  const results = requests()[1]?.messages.at(-1)?.parts ?? []
  expect(results).toHaveLength(65)
  expect(results.at(-1)).toMatchObject({
    text: 'Not run: at most 64 tools can be called at once. Nor were the 4935 calls after it. Call again with fewer.',
  })
})

test.each([
  ['line', 'one event is over 16 MiB'],
  ['lines', 'one event is over 16 MiB'],
  ['tool_args', 'the arguments of one call are over 1 MiB'],
] as const)(
  'a model whose %s never ends is cut off with the name of the limit, and the next prompt works',
  async (endless, limit) => {
    const flood: Reply = { toolCalls: [{ name: 'nothing', args: { text: 'x'.repeat(1_000) } }], endless }
    const { editor, monitor } = lab
    const { sessionId, requests } = await lab.open([flood, { text: 'still here' }])
    const { stopReason, _meta } = await editor.prompt(sessionId, 'go')
    expect({ stopReason, _meta }).toMatchObject({
      stopReason: 'end_turn',
      _meta: { 'ostler/error': { code: 'model.answer_too_large' } },
    })
    expect(editor.text(sessionId)).toBe(`The answer of Anthropic was cut off: ${limit}.`)
    expect(requests()[0]?.sentBytes).toBeLessThan(32 * 1024 * 1024)
    await editor.prompt(sessionId, 'and now?')
    expect(editor.text(sessionId)).toMatch(/still here$/)
    expect(await monitor.longestWorkMs()).toBeLessThan(processWorkMaxMs)
  },
)

test('a text that never ends can be cancelled, and the next prompt works', async () => {
  const { editor, monitor } = lab
  const { sessionId } = await lab.open([
    { text: 'word after word '.repeat(10), endless: 'text' },
    { text: 'still here' },
  ])
  const prompt = editor.prompt(sessionId, 'go')
  await expect.poll(() => editor.text(sessionId).length, { timeout: 30_000 }).toBeGreaterThan(100_000)
  editor.notify('session/cancel', { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  await editor.prompt(sessionId, 'and now?')
  expect(editor.text(sessionId)).toMatch(/still here$/)
  expect(await monitor.longestWorkMs()).toBeLessThan(processWorkMaxMs)
})

test.each(['stdio', 'http'])(
  'a call with a flood of progress over %s can be cancelled, and the next prompt works',
  async (transport) => {
    await using web = await startHttpFixture('faulty-http-server.mjs', 'progress-flood')
    const server =
      transport === 'http'
        ? { type: 'http', name: 'floods', url: web.url, headers: [] }
        : {
            name: 'floods',
            command: process.execPath,
            args: [fixturePath('faulty-server.mjs'), 'progress-flood'],
            env: [],
          }
    const { editor, monitor } = lab
    const { sessionId } = await lab.open(
      [{ toolCalls: [{ name: 'floods__echo', args: { message: 'flood' } }] }, { text: 'still here' }],
      [server],
    )
    const prompt = editor.prompt(sessionId, 'go')
    const shown = () =>
      editor
        .updates(sessionId)
        .filter((update) => update.sessionUpdate === 'tool_call_update' && update.content?.length)
    await expect.poll(() => shown().length, { timeout: 30_000 }).toBeGreaterThan(3)
    editor.notify('session/cancel', { sessionId })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    await editor.prompt(sessionId, 'and now?')
    expect(editor.text(sessionId)).toMatch(/still here$/)
    expect(await monitor.longestWorkMs()).toBeLessThan(processWorkMaxMs)
  },
)

test('a long wait for a busy model is shown as a thought, and can be cancelled', async () => {
  const { editor } = lab
  const busy: Reply = { status: 429, errorMessage: 'Busy', headers: { 'retry-after': '60' } }
  const { sessionId, requests } = await lab.open([busy, { text: 'still here' }])
  const prompt = editor.prompt(sessionId, 'go')
  const wait = await editor.waitForUpdate(sessionId, 'agent_thought_chunk')
  expect(wait).toMatchObject({
    content: { text: 'Anthropic is rate-limiting requests (429). It said: Busy. Retrying in 60 s.' },
  })
  editor.notify('session/cancel', { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  await editor.prompt(sessionId, 'and now?')
  expect(editor.text(sessionId)).toMatch(/still here$/)
  // The note is only for the person.
  expect(JSON.stringify(requests()[1]?.body)).not.toContain('Retrying in')
})
