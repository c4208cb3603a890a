import { createAgent, textResult, type Tool, type TurnEvent } from '@ostler/agent-api'
import { describe, expect, test } from 'vitest'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import type { ModelRequest } from '../support/loopback-model/script.ts'
import type { LoopbackVendor } from '../support/loopback-model/start-loopback-model.ts'
import { isSummaryRequest, textIn, withWindow } from '../support/loopback-model/window.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { promptText, textOf } from './agent-harness.ts'

const size = 32_000
/** Enough for a summary. `test/acp/long-session` has summaries of summaries, and `OSTLER_TEST_TURNS=500` has a dozen of them here. */
const turns = Number(process.env['OSTLER_TEST_TURNS'] ?? 60)
const fact = 'FACT: the password of the barn is heron-7421.'

/** Results of different sizes, some of them larger than a tenth of the window. */
const lookUp: Tool = {
  ref: { server: null, tool: 'look_up' },
  description: 'Looks an item up',
  inputSchema: { type: 'object', properties: { item: { type: 'integer' } }, required: ['item'] },
  kind: 'read',
  execute: ({ item }) =>
    Promise.resolve(
      textResult(`item ${String(item)}: ${`entry ${String(item)} `.repeat(50 + (Number(item) % 7) * 150)}`),
    ),
}

function script(request: ModelRequest) {
  const last = request.messages.at(-1)
  const said = textIn(last)
  if (last?.role === 'tool') return { text: `Looked it up.` }
  const [, item] = /look up item (\d+)/.exec(said) ?? []
  if (item !== undefined) return { toolCalls: [{ name: 'look_up', args: { item: Number(item) } }] }
  const known = request.messages.map(textIn).join('\n')
  return { text: known.includes('heron-7421') ? 'heron-7421' : 'I do not know.' }
}

async function run(vendor: LoopbackVendor, reportsUsage = true) {
  const folder = await openTempDir()
  const refused: boolean[] = []
  const answer = withWindow({ size, vendor, reportsUsage }, script)
  const model = await startLoopbackModel({
    vendor,
    script: async (request, index) => {
      const reply = typeof answer === 'function' ? await answer(request, index) : {}
      refused.push(reply.status !== undefined)
      return reply
    },
  })
  const agent = createAgent({
    model: model.modelId,
    env: model.env,
    mode: 'auto',
    tools: { mode: 'open', tools: [lookUp] },
    // Only what matters here, so that hundreds of requests take seconds.
    builtinTools: false,
  })
  const session = agent.createSession({ cwd: folder.path })
  const answers: string[] = []
  const events: TurnEvent[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const more = turn === 1 ? ` ${fact}` : ''
    const seen = await promptText(session, `Please look up item ${turn}.${more}`)
    answers.push(textOf(seen))
    events.push(...seen.filter(({ type }) => type === 'compaction' || type === 'usage'))
  }
  const last = textOf(await promptText(session, 'What is the password of the barn?'))
  await agent[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  return { answers, events, last, refused, requests: model.requests }
}

// The window of Ollama's model is known. The others learn theirs from a refusal.
describe.each(['anthropic', 'ollama', 'openai-responses', 'google'] as const)('%s', (vendor) => {
  test('a long session stays within a small window and remembers its first turn', async () => {
    const { answers, events, last, refused, requests } = await run(vendor)
    expect(answers.filter((answer) => answer !== 'Looked it up.')).toEqual([])
    expect(last).toBe('heron-7421')
    // No request is refused twice.
    expect(refused.filter((isRefused, index) => isRefused && refused[index + 1] === true)).toEqual([])
    // A refusal teaches how small the window is.
    expect(refused.filter(Boolean).length).toBeLessThanOrEqual(1)
    expect(requests.filter(isSummaryRequest).length).toBeGreaterThan(0)
    expect(events.filter((event) => event.type === 'compaction' && event.status === 'failed')).toEqual([])
    expect(events.some((event) => event.type === 'usage' && event.usage.contextUsed > size)).toBe(false)
  })
})
