import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAcpProcess, patientWaitMs, type AcpProcess } from '../support/acp-harness.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { startLoopbackModel, type Script } from '../support/loopback-model/index.ts'
import { openChildLoopMonitor, processWorkMaxMs, type ChildLoopMonitor } from '../support/loop-monitor.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { survivorsAfter } from '../support/processes.ts'
import { manyValues, vastSchemas } from '../support/vast-schemas.ts'

interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: object
}

const exitMsMax = 5_000
/** Anthropic's schemas keep all keywords, as those of OpenAI do; Google's are rewritten; and the offline model reads them itself. */
const models = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  google: 'google/gemini-3.8-flash',
  offline: 'offline',
} as const
const everyModel = Object.keys(models) as ModelName[]

type ModelName = keyof typeof models

const list = (length: number) => Array.from({ length }, (_, index) => index)
const ok = {
  name: 'get_stamp',
  description: 'Gets the stamp',
  inputSchema: { type: 'object', properties: { ms: { type: 'number' } } },
}
const alternative = {
  properties: { a: { $ref: '#/$defs/node' }, ms: { type: 'number' } },
  additionalProperties: false,
}
const deep = {
  name: 'get_stamp',
  description: 'Gets the stamp',
  inputSchema: {
    $ref: '#/$defs/node',
    $defs: { node: { anyOf: [{ ...alternative, required: ['z'] }, alternative, { required: ['y'] }] } },
  },
}

const fixtures: readonly (readonly [string, readonly ModelName[], readonly ListedTool[]])[] = [
  [
    'schemas that are huge when written out',
    everyModel,
    [
      ok,
      ...Object.values(vastSchemas).map((inputSchema, index) => ({
        name: `vast_${index}`,
        description: 'Vast',
        inputSchema,
      })),
    ],
  ],
  [
    'nine tools with ten thousand values each',
    everyModel,
    [
      ok,
      ...list(9).map((index) => ({
        name: `choose_${index}`,
        description: 'Chooses a value of the stamp',
        inputSchema: {
          type: 'object',
          properties: { value: { type: 'string', enum: manyValues(10_000) } },
          required: ['value'],
        },
      })),
    ],
  ],
  [
    'fourteen hundred tools',
    // The search in them is the same for each vendor.
    ['anthropic', 'offline'],
    [
      ok,
      ...list(1_399).map((index) => ({
        name: `get_thing_${index}`,
        description: `Gets the thing and its stamp. ${'It is a thing like any other. '.repeat(40)}`,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            list(20).map((p) => [
              `property${p}`,
              { type: 'string', description: 'One of its properties, in words' },
            ]),
          ),
          required: ['property1'],
        },
      })),
    ],
  ],
  // Arguments are checked in the same way, whichever model wrote them.
  ['a schema that takes ever longer to check', ['anthropic'], [deep]],
]

/** A process of Ostler that has loaded its code, and opens sessions with vast tools. */
interface WarmLab extends AsyncDisposable {
  readonly editor: AcpProcess
  readonly monitor: ChildLoopMonitor
  /** Opens a session, and lets its model call the tool `get_stamp`. */
  callIn(model: ModelName, tools: readonly ListedTool[]): Promise<string>
}

let lab: WarmLab
beforeAll(async () => void (lab = await openWarmLab()))
afterAll(() => lab[Symbol.asyncDispose]())

async function openWarmLab(): Promise<WarmLab> {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const args = JSON.parse(`${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`) as object
  const script: Script = ({ messages, tools: offered }) => {
    const name =
      messages.at(-1)?.role === 'tool'
        ? undefined
        : offered.find((tool) => tool.name.endsWith('get_stamp'))?.name
    return name === undefined ? { text: 'done' } : { toolCalls: [{ name, args }] }
  }
  const anthropic = opened.use(await startLoopbackModel({ vendor: 'anthropic', script }))
  const google = opened.use(await startLoopbackModel({ vendor: 'google', script }))
  const monitor = opened.use(await openChildLoopMonitor())
  const env = { ...anthropic.env, ...google.env, OSTLER_CONNECT_WAIT: `${patientWaitMs}ms` }
  const editor = opened.use(
    await openAcpProcess({ nodeArgs: monitor.nodeArgs, env, args: ['--model', models.anthropic] }),
  )
  await editor.initialize()
  let opens = 0
  const callIn: WarmLab['callIn'] = async (model, tools) => {
    const listFile = join(dir.path, `tools-${++opens}.json`)
    await writeFile(listFile, JSON.stringify(tools))
    const server = {
      name: 'vast',
      command: process.execPath,
      args: [fixturePath('changing-server.mjs'), listFile],
      env: [],
    }
    const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers: [server] })
    await editor.request('session/set_config_option', { sessionId, configId: 'model', value: models[model] })
    const said = model === 'offline' ? `/call vast__get_stamp ${JSON.stringify(args)}` : 'get the stamp'
    expect(await editor.prompt(sessionId, said)).toMatchObject({ stopReason: 'end_turn' })
    return sessionId
  }
  for (const model of everyModel) await callIn(model, [ok])
  const all = opened.move()
  return { editor, monitor, callIn, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test.each(fixtures.flatMap(([name, of, tools]) => of.map((model) => [name, model, tools] as const)))(
  '%s cost their tools, and no time (%s)',
  async (_, model, tools) => {
    const { editor, monitor } = lab
    await monitor.reset()
    const sessionId = await lab.callIn(model, tools)
    await editor.prompt(sessionId, 'get the stamp')
    const blockMs = await monitor.longestWorkMs()
    const ended = editor
      .updates(sessionId)
      .filter((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed')
    expect(ended).not.toEqual([])
    expect(blockMs).toBeLessThan(processWorkMaxMs)
    await editor.request('session/close', { sessionId })
  },
)

test('the process ends when its editor does', async () => {
  lab.editor.closeInput()
  expect(await survivorsAfter([lab.editor.pid], exitMsMax)).toEqual([])
})
