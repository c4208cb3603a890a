import { expect, test } from 'vitest'
import { readServer, serverNames } from '../fixtures/editor-servers/catalogue.mjs'
import { formats, openScriptedSession, type ScriptedOptions } from '../support/acp-scripted.ts'
import { programPath } from '../support/program-path.ts'
import { openTempDir } from '../support/temp-dir.ts'

const program = programPath('fixtures/editor-servers/server.mjs')
const keys = serverNames.flatMap((name) => readServer(name).tools.map((tool) => `${name}__${tool.name}`))

/** The bytes of a request without the definitions that its vendor keeps out of the prompt. */
function sizeOf(body: unknown): number {
  const json = JSON.stringify(body, (_, value: unknown) => {
    if (!Array.isArray(value)) return value
    const all: readonly { defer_loading?: boolean; type?: string }[] = value
    return all.filter((each) => each?.defer_loading !== true)
  })
  return Buffer.byteLength(json)
}

async function run(options: Pick<ScriptedOptions, 'vendor' | 'mcpServers' | 'script'>) {
  const session = await openScriptedSession({
    ...options,
    agent: { mode: 'auto', sessionServers: { schemas: 'deferred' } },
  })
  await session.editor.prompt(session.sessionId, 'Hello')
  return session
}

test.each(formats)(
  '178 tools of 11 servers take at most 4 000 tokens, and all are callable, in the format %s',
  async (vendor) => {
    await using dir = await openTempDir()
    const mcpServers = serverNames.map((name) => ({
      name,
      command: process.execPath,
      args: [program, name, `${dir.path}/calls`],
      env: [],
    }))
    const called = new Set<string>()
    await using without = await run({ vendor, script: () => ({ text: 'hello' }) })
    await using session = await run({
      vendor,
      mcpServers,
      // Blindly, without having read a schema.
      script: ({ messages }) => {
        const step = messages.filter(({ role }) => role === 'assistant').length
        const toolCalls = keys.slice(step * 60, step * 60 + 60).map((name) => ({ name, args: {} }))
        return toolCalls.length === 0 ? { text: 'done' } : { toolCalls }
      },
    })
    const [first, ...others] = session.model.requests
    const tokens = (sizeOf(first?.body) - sizeOf(without.model.requests[0]?.body)) / 4
    expect(tokens).toBeLessThanOrEqual(4_000)
    for (const key of keys) expect(JSON.stringify(first?.messages)).toContain(`- ${key}`)
    for (const update of session.editor.updates(session.sessionId))
      if (update.sessionUpdate === 'tool_call') called.add(update.title)
    expect(
      others
        .flatMap(({ messages }) => messages)
        .flatMap(({ parts }) => parts)
        .filter((part) => part.type === 'tool_result' && part.text.includes('There is no tool')),
    ).toEqual([])
    expect(called.size).toBe(keys.length)
  },
)
