import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAcpProcess, patientWaitMs, type AcpProcess } from '../support/acp-harness.ts'
import { startLoopbackModel, type LoopbackModel, type Script } from '../support/loopback-model/index.ts'
import { openChildLoopMonitor, processWorkMaxMs, type ChildLoopMonitor } from '../support/loop-monitor.ts'
import { fixturePath } from '../support/mcp-clients.ts'

const token = 'vast-canary-7f3a9c1e5b'

const call = (message: string) => ({ toolCalls: [{ name: 'vast__echo', args: { message } }] })

interface WarmLab extends AsyncDisposable {
  readonly editor: AcpProcess
  readonly model: LoopbackModel
  readonly monitor: ChildLoopMonitor
  readonly sessionId: string
}

let lab: WarmLab
beforeAll(async () => void (lab = await openWarmLab()))
afterAll(() => lab[Symbol.asyncDispose]())

/** A session that has made a call already, so that all code is loaded. Its model calls the tool with the message it is sent. */
async function openWarmLab(): Promise<WarmLab> {
  await using opened = new AsyncDisposableStack()
  const monitor = opened.use(await openChildLoopMonitor())
  const script: Script = ({ messages }) => {
    const last = messages.at(-1)
    return last?.role === 'tool'
      ? { text: 'done' }
      : call(last?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '')
  }
  const model = opened.use(await startLoopbackModel({ vendor: 'anthropic', script }))
  // Node writes its compile cache shortly after the start, which takes a while.
  const env = { ...model.env, NODE_DISABLE_COMPILE_CACHE: '1', OSTLER_CONNECT_WAIT: `${patientWaitMs}ms` }
  const editor = opened.use(
    await openAcpProcess({ args: ['--model', model.modelId], env, nodeArgs: monitor.nodeArgs }),
  )
  await editor.initialize()
  const server = {
    name: 'vast',
    command: process.execPath,
    args: [fixturePath('faulty-server.mjs'), 'vast-result'],
    env: [{ name: 'VAST_TOKEN', value: token }],
  }
  const { sessionId } = await editor.newSession({ cwd: editor.home, mcpServers: [server] })
  await editor.prompt(sessionId, 'warm')
  const all = opened.move()
  return { editor, model, monitor, sessionId, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test.each([
  [
    'a text',
    'text',
    /^word word [^]*\n\[truncated: 933\d{4} of 943\d{4} characters omitted\]\n\[Note: the whole result is kept: [^\n]*\]$/,
  ],
  [
    'a text of emoji',
    'emoji',
    /^😀{50000}\n\[truncated: 46\d{5} of 47\d{5} characters omitted\]\n\[Note: the whole result is kept: [^\n]*\]$/u,
  ],
  [
    'a text half of which is hidden',
    'hidden',
    /^a{75000}\n\[truncated: 45\d{5} characters omitted\]\n\[Note: the whole result is kept: [^\n]*"offset":6\d{4}\}\.\]$/,
  ],
  [
    'a text with many secrets',
    'secrets',
    /^a{1000}\[redacted\]a{1000}\[redacted\][^]*characters omitted\]\n\[Note: the whole result is kept: [^\n]*\]$/,
  ],
  ['many texts', 'blocks', /^word word [^]*characters omitted\]/],
  [
    'structured content with 90 000 values',
    'nodes',
    /^nodes\n"\[left out: 528901 characters of structured content\]"$/,
  ],
  [
    'structured content with 45 000 objects',
    'objects',
    /^objects\n"\[left out: more than 100000 characters of structured content\]"$/,
  ],
  [
    'a text of quotes',
    'quotes',
    /^"{100000}\n\[truncated: 46\d{5} of 47\d{5} characters omitted\]\n\[Note: the whole result is kept: [^\n]*\]$/,
  ],
  ['an error', 'error', /^MCP error: word word .*…$/],
])('%s as long as a message may be blocks nothing else', async (_, message, expected) => {
  const { editor, model, monitor, sessionId } = lab
  await monitor.reset()
  expect(await editor.prompt(sessionId, message)).toEqual({ stopReason: 'end_turn' })
  const blockedMs = await monitor.longestWorkMs()
  const shown = model.requests.at(-1)?.messages.at(-1)?.parts[0]
  const said = JSON.stringify(shown)
  expect((shown as { text: string }).text).toMatch(expected)
  expect(said).not.toContain(token.slice(0, 6))
  expect(JSON.stringify(editor.updates(sessionId))).not.toContain(token.slice(0, 6))
  expect(blockedMs).toBeLessThan(processWorkMaxMs)
})
