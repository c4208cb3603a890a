import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineTool, textResult, type Tool } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import { load, openSessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import type { LoopbackVendor } from '../support/loopback-model/start-loopback-model.ts'
import { textIn } from '../support/loopback-model/window.ts'

const vendors = [
  'anthropic',
  'openai',
  'openai-responses',
  'google',
] as const satisfies readonly LoopbackVendor[]

const slowScript = fileURLToPath(new URL('../fixtures/servers/slow-start.mjs', import.meta.url))

const echo = defineTool({
  name: 'echo',
  description: 'Repeats a word',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  execute: ({ word }) => Promise.resolve(textResult(String(word))),
}) satisfies Tool

/** Thinks, makes 14 calls at once, thinks and makes one more, and answers. */
function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .filter(({ role }) => role === 'tool')
  const thoughts = { text: `thought ${messages.length}`, signature: `signed-${messages.length}` }
  const call = (word: string) => ({ name: 'echo', args: { word }, id: `${word}-${messages.length}` })
  if (last?.role !== 'tool')
    return { thoughts, toolCalls: Array.from({ length: 14 }, (_, index) => call(`word${index}`)) }
  const calls = results.reduce((count, { parts }) => count + parts.length, 0)
  return calls <= 14
    ? { thoughts, text: 'one more', toolCalls: [call('more')] }
    : { thoughts, text: `done ${textIn(last)}` }
}

/** The parts of a request that a vendor's cache compares, in its order. The marks for Anthropic's cache are not compared. */
function prefixOf({ body }: ModelRequest): {
  readonly tools: string
  readonly system: string
  readonly messages: readonly string[]
} {
  const { tools, system, instructions, systemInstruction, messages, input, contents } = body as Record<
    string,
    unknown
  >
  const json = (value: unknown) =>
    JSON.stringify(value ?? null, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))
  const list = (messages ?? input ?? contents) as readonly unknown[]
  return {
    tools: json(tools),
    system: json(system ?? instructions ?? systemInstruction),
    messages: list.map(json),
  }
}

function expectPrefixes(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const next = requests[index + 1]
    if (next === undefined) continue
    const [before, after] = [prefixOf(request), prefixOf(next)]
    expect(after.tools).toBe(before.tools)
    expect(after.system).toBe(before.system)
    const text = before.messages.join(',')
    expect(after.messages.join(',').slice(0, text.length)).toBe(text)
    expect(after.messages.length).toBeGreaterThan(before.messages.length)
  }
}

/** The requests of a conversation that is loaded after its second prompt. */
async function converse(
  vendor: LoopbackVendor,
): Promise<{ readonly requests: readonly ModelRequest[]; readonly sessionId: string }> {
  await using lab = await openSessionLab(script, {
    vendor,
    agent: { tools: { mode: 'open', tools: [echo] }, mode: 'auto' },
  })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (const prompt of ['one', 'two']) await editor.prompt(sessionId, prompt)
  await using other = await lab.open()
  await load(other, { sessionId, cwd: lab.path })
  for (const prompt of ['three', 'four']) await other.prompt(sessionId, prompt)
  return { requests: lab.model.requests, sessionId }
}

test.each(vendors)(
  'each request in the format %s begins byte for byte with the previous one, also after loading',
  async (vendor) => {
    const { requests, sessionId } = await converse(vendor)
    expect(requests).toHaveLength(12)
    expectPrefixes(requests)
    if (vendor === 'anthropic') expectNearMarks(requests)
    // The key for OpenAI's cache.
    const keys = new Set(requests.map(({ body }) => (body as { prompt_cache_key?: string }).prompt_cache_key))
    expect(keys).toEqual(new Set([vendor === 'openai-responses' ? sessionId : undefined]))
  },
)

/** The places of Anthropic's marks, counted in blocks from the beginning of the messages. */
function marksOf({ body }: ModelRequest): number[] {
  const { messages } = body as {
    messages: readonly { readonly content: readonly { readonly cache_control?: unknown }[] }[]
  }
  return messages
    .flatMap(({ content }) => content)
    .flatMap((block, index) => (block.cache_control === undefined ? [] : [index]))
}

/** Each request of Anthropic has a mark at most 20 blocks after one of the request before. */
function expectNearMarks(requests: readonly ModelRequest[]): void {
  const marks = requests.map(marksOf)
  for (const [index, places] of marks.slice(1).entries()) {
    const written = marks[index] ?? []
    expect(places.some((place) => written.some((before) => before <= place && place - before < 20))).toBe(
      true,
    )
    // Anthropic allows four marks. One is at the system prompt.
    expect(places.length).toBeLessThanOrEqual(3)
  }
}

test('the tools of a server that connects later come after all others', async () => {
  const agent = { tools: { mode: 'open', tools: [echo] }, mode: 'auto', connectWaitMs: 0 } as const
  await using lab = await openSessionLab(() => ({ text: 'hello' }), { agent })
  await using editor = await lab.open()
  const gate = join(lab.path, 'gate')
  await writeFile(gate, '')
  const slow = { name: 'a_slow', command: process.execPath, args: [slowScript, '0', 'a_slow', gate], env: [] }
  const fast = { name: 'b_fast', command: process.execPath, args: [slowScript, '0', 'b_fast'], env: [] }
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [slow, fast] })
  await editor.prompt(sessionId, '/mcp reconnect b_fast')
  await editor.prompt(sessionId, 'one')
  await rm(gate)
  await editor.prompt(sessionId, '/mcp reconnect a_slow')
  await editor.prompt(sessionId, 'two')
  const [before, after] = lab.model.requests.map(prefixOf)
  const namesOf = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? []
  expect(namesOf(lab.model.requests[1])).toEqual([...namesOf(lab.model.requests[0]), 'a_slow__a_slow_tool'])
  const text = before?.tools.replace(/[\]}]*$/, '') ?? ''
  expect(after?.tools.slice(0, text.length)).toBe(text)
  expect(after?.system).toBe(before?.system)
})
