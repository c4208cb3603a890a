import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { changingServer } from '../support/agent-lab.ts'
import { formats, openScriptedSession } from '../support/acp-scripted.ts'
import type { ModelRequest } from '../support/loopback-model/script.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** The limit of each vendor, and more tools than any vendor accepts. */
const limits = { anthropic: Infinity, 'openai-responses': 128, google: 512, openai: 128 }
const offeredCount = 600

async function openWithTools({
  vendor,
  script,
  count = offeredCount,
  ...options
}: Omit<Parameters<typeof openScriptedSession>[0], 'mcpServers'> & { count?: number }) {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const list = join(dir.path, 'tools.json')
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Number ${index}: ${index === count - 1 ? 'feeds the horses' : 'nothing'}`,
  }))
  await writeFile(list, JSON.stringify(tools))
  const server = { name: 'many', command: process.execPath, args: [changingServer, list], env: [] }
  const session = opened.use(
    await openScriptedSession({
      vendor,
      script,
      mcpServers: [server],
      ...options,
      agent: { mode: 'auto', connectWaitMs: 60_000, ...options.agent },
    }),
  )
  const all = opened.move()
  return { ...session, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const last = `many__tool_${offeredCount - 1}`

describe.each(formats)('more tools than the vendor accepts, in the format %s', (vendor) => {
  const max = limits[vendor]

  it('are left out and found by a search, and the person reads the number once', async () => {
    await using session = await openWithTools({
      vendor,
      script: ({ tools, messages }) => {
        const sent = tools.filter(({ isDeferred }) => isDeferred !== true)
        if (sent.length > max)
          return { status: 400, errorMessage: `Invalid 'tools': array too long (${sent.length})` }
        const calls = messages.filter(({ role }) => role === 'tool').length
        if (calls === 0 && max < Infinity)
          return { toolCalls: [{ name: 'find_tools', args: { query: 'feed the horses' } }] }
        if (calls < 2) return { toolCalls: [{ name: last, args: {} }] }
        return { text: 'fed' }
      },
    })
    const { editor, sessionId, model } = session
    for (const prompt of ['Feed the horses', 'Again']) await editor.prompt(sessionId, prompt)
    expect(editor.text(sessionId)).toMatch(/fed$/)
    const sentIn = ({ tools }: ModelRequest) => tools.filter(({ isDeferred }) => isDeferred !== true)
    const counts = model.requests.map((request) => sentIn(request).length)
    expect(Math.max(...counts)).toBeLessThanOrEqual(max)
    const ends = editor
      .updates(sessionId)
      .flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? [update.status] : []))
    expect(ends).not.toContain('failed')
    const names = model.requests
      .slice(0, 1)
      .flatMap(sentIn)
      .map(({ name }) => name)
    expect(names).toContain('read_file')
    expect(names.includes(last)).toBe(max === Infinity)
    const notes = editor.text(sessionId).match(/takes at most \d+ tools, and this session has \d+/g) ?? []
    const notices = editor
      .updates(sessionId)
      .filter((update) => update.sessionUpdate === 'notice' && /takes at most/.test(update.description ?? ''))
    expect(notes.length + notices.length).toBe(max === Infinity ? 0 : 1)
  })
})

test('the list stays as it is while others are found', async () => {
  await using session = await openWithTools({
    vendor: 'openai',
    script: ({ messages }, index) =>
      messages.some(({ role }) => role === 'tool') || index > 0
        ? { text: 'ok' }
        : { toolCalls: [{ name: 'find_tools', args: { query: 'feed the horses' } }] },
  })
  await session.editor.prompt(session.sessionId, 'go')
  const [before, after] = session.model.requests
  expect(after?.tools).toEqual(before?.tools)
  expect(after?.tools.map(({ name }) => name)).not.toContain(last)
  expect(JSON.stringify(after?.messages.at(-1))).toContain(`- ${last}: Number 599: feeds the horses`)
})

test('disabling a server makes room, enabling it takes it back', async () => {
  await using session = await openWithTools({ vendor: 'openai', count: 200, script: () => ({ text: 'ok' }) })
  const { editor, sessionId, model } = session
  for (const prompt of [
    'one',
    '/mcp disable many',
    'two',
    '/mcp',
    '/mcp disable many',
    '/mcp enable many',
    '/mcp enable many',
    'three',
  ]) {
    await editor.prompt(sessionId, prompt)
  }
  const many = model.requests.map(
    ({ tools }) => tools.filter(({ name }) => name.startsWith('many__')).length > 0,
  )
  expect(many).toEqual([true, false, true])
  expect(model.requests[1]?.tools.map(({ name }) => name)).not.toContain('find_tools')
  const text = editor.text(sessionId)
  expect(text).toContain(
    "The MCP server 'many' is disabled in this session: its tools, prompts and instructions are left out.",
  )
  expect(text).toContain('- **many**: disabled in this session')
  expect(text).toContain("The MCP server 'many' is already disabled.")
  expect(text).toContain("The MCP server 'many' is already enabled.")
})
