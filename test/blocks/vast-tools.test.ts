import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAcpProcess, type AcpProcess } from '../support/acp-harness.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { startLoopbackModel, type Reply } from '../support/loopback-model/index.ts'
import { loopBlockMaxMs, openChildLoopMonitor, slowRunsAllowed, type ChildLoopMonitor } from '../support/loop-monitor.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { survivorsAfter } from '../support/processes.ts'
import { manyValues, vastSchemas } from '../support/vast-schemas.ts'

interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: object
}

const exitMsMax = 5_000
/** Factor for a whole process on a busy machine. Without limits, it would be blocked for seconds. */
const busyMachineFactor = 3
const models = ['anthropic', 'openai', 'openai-responses', 'google', 'offline'] as const

const list = (length: number) => Array.from({ length }, (_, index) => index)
const ok = { name: 'get_stamp', description: 'Gets the stamp', inputSchema: { type: 'object', properties: { ms: { type: 'number' } } } }
const alternative = { properties: { a: { $ref: '#/$defs/node' }, ms: { type: 'number' } }, additionalProperties: false }
const deep = {
  name: 'get_stamp',
  description: 'Gets the stamp',
  inputSchema: {
    $ref: '#/$defs/node',
    $defs: { node: { anyOf: [{ ...alternative, required: ['z'] }, alternative, { required: ['y'] }] } },
  },
}

const fixtures: Readonly<Record<string, readonly ListedTool[]>> = {
  'schemas that are huge when written out': [
    ok,
    ...Object.values(vastSchemas).map((inputSchema, index) => ({ name: `vast_${index}`, description: 'Vast', inputSchema })),
  ],
  'a hundred tools with ten thousand values each': [
    ok,
    ...list(100).map((index) => ({
      name: `choose_${index}`,
      description: 'Chooses a value of the stamp',
      inputSchema: { type: 'object', properties: { value: { type: 'string', enum: manyValues(10_000) } }, required: ['value'] },
    })),
  ],
  'two thousand tools': [
    ok,
    ...list(1_999).map((index) => ({
      name: `get_thing_${index}`,
      description: `Gets the thing and its stamp. ${'It is a thing like any other. '.repeat(40)}`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          list(20).map((p) => [`property${p}`, { type: 'string', description: 'One of its properties, in words' }]),
        ),
        required: ['property1'],
      },
    })),
  ],
  'a schema that takes ever longer to check': [deep],
}

/** A process of Ostler that has loaded its code, and opens sessions with vast tools. */
interface WarmLab extends AsyncDisposable {
  readonly editor: AcpProcess
  readonly monitor: ChildLoopMonitor
  readonly said: string
  open(tools: readonly ListedTool[]): Promise<string>
}

async function openWarmLab(vendor: (typeof models)[number]): Promise<WarmLab> {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const args = JSON.parse(`${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`) as object
  const said = vendor === 'offline' ? `/call vast__get_stamp ${JSON.stringify(args)}` : 'get the stamp'
  const reply = (wireName: string | undefined): Reply =>
    wireName === undefined ? { text: 'done' } : { toolCalls: [{ name: wireName, args }] }
  const model = opened.use(
    await startLoopbackModel({
      vendor: vendor === 'offline' ? 'anthropic' : vendor,
      script: ({ messages, tools: offered }) =>
        reply(messages.at(-1)?.role === 'tool' ? undefined : offered.find(({ name }) => name.endsWith('get_stamp'))?.name),
    }),
  )
  const monitor = opened.use(await openChildLoopMonitor())
  const editor = opened.use(
    await openAcpProcess({
      nodeArgs: monitor.nodeArgs,
      env: model.env,
      ...(vendor !== 'offline' && { args: ['--model', model.modelId] }),
    }),
  )
  await editor.initialize()
  let opens = 0
  const open = async (tools: readonly ListedTool[]) => {
    const listFile = join(dir.path, `tools-${++opens}.json`)
    await writeFile(listFile, JSON.stringify(tools))
    const server = { name: 'vast', command: process.execPath, args: [fixturePath('changing-server.mjs'), listFile], env: [] }
    return (await editor.newSession({ cwd: dir.path, mcpServers: [server] })).sessionId
  }
  await editor.prompt(await open([ok]), said)
  const all = opened.move()
  return { editor, monitor, said, open, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

describe.each(models)('with the model %s', (vendor) => {
  let lab: WarmLab
  beforeAll(async () => void (lab = await openWarmLab(vendor)))
  afterAll(() => lab[Symbol.asyncDispose]())

  test.each(Object.entries(fixtures))('%s cost their tools, and no time', slowRunsAllowed, async (_, tools) => {
    const { editor, monitor, said } = lab
    await monitor.reset()
    const sessionId = await lab.open(tools)
    expect(await editor.prompt(sessionId, said)).toMatchObject({ stopReason: 'end_turn' })
    await editor.prompt(sessionId, 'get the stamp')
    const blockMs = await monitor.longestBlockMs()
    const ended = editor.updates(sessionId).filter((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed')
    expect(ended).not.toEqual([])
    expect(blockMs).toBeLessThan(busyMachineFactor * loopBlockMaxMs)
    await editor.request('session/close', { sessionId })
  })

  test('the process ends when its editor does', async () => {
    lab.editor.closeInput()
    expect(await survivorsAfter([lab.editor.pid], exitMsMax)).toEqual([])
  })
})
