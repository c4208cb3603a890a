import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { startLoopbackModel, type Reply } from '../support/loopback-model/index.ts'
import { loopBlockMaxMs, openChildLoopMonitor, slowRunsAllowed } from '../support/loop-monitor.ts'
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

describe.each(Object.entries(fixtures))('%s', (_, tools) => {
  test.each(models)('cost their tools, and no time (%s)', slowRunsAllowed, async (vendor) => {
    await using dir = await openTempDir()
    const listFile = join(dir.path, 'tools.json')
    const smallFile = join(dir.path, 'small.json')
    await writeFile(listFile, JSON.stringify(tools))
    await writeFile(smallFile, JSON.stringify([ok]))
    const server = (file: string) => ({
      name: 'vast',
      command: process.execPath,
      args: [fixturePath('changing-server.mjs'), file],
      env: [],
    })
    const args = JSON.parse(`${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`) as object
    const said = vendor === 'offline' ? `/call vast__get_stamp ${JSON.stringify(args)}` : 'get the stamp'
    const reply = (wireName: string | undefined): Reply =>
      wireName === undefined ? { text: 'done' } : { toolCalls: [{ name: wireName, args }] }
    await using model = await startLoopbackModel({
      vendor: vendor === 'offline' ? 'anthropic' : vendor,
      script: ({ messages, tools: offered }) =>
        reply(messages.at(-1)?.role === 'tool' ? undefined : offered.find(({ name }) => name.endsWith('get_stamp'))?.name),
    })
    await using monitor = await openChildLoopMonitor()
    await using editor = await openAcpProcess({
      nodeArgs: monitor.nodeArgs,
      env: model.env,
      ...(vendor !== 'offline' && { args: ['--model', model.modelId] }),
    })
    await editor.initialize()
    // A session without the tools loads the code.
    const first = await editor.newSession({ cwd: dir.path, mcpServers: [server(smallFile)] })
    await editor.prompt(first.sessionId, said)

    await monitor.reset()
    const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers: [server(listFile)] })
    expect(await editor.prompt(sessionId, said)).toMatchObject({ stopReason: 'end_turn' })
    await editor.prompt(sessionId, 'get the stamp')
    const blockMs = await monitor.longestBlockMs()
    const ended = editor.updates(sessionId).filter((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed')
    expect(ended).not.toEqual([])
    expect(blockMs).toBeLessThan(busyMachineFactor * loopBlockMaxMs)

    editor.closeInput()
    expect(await survivorsAfter([editor.pid], exitMsMax)).toEqual([])
  })
})
