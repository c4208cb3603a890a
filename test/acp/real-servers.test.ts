import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  everythingServer,
  gitServer,
  openScriptedSession,
  type ScriptedSession,
} from '../support/acp-scripted.ts'
import { findChromium } from '../support/find-chromium.ts'
import type { ModelRequest } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'

const require = createRequire(import.meta.url)
const chromium = findChromium()

/** These packages load much code, which a second process finds compiled. */
const compileCache = Object.entries({ NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }).flatMap(
  ([name, value]) => (value ? [{ name, value }] : []),
)

/** Sends one prompt whose model calls one tool, and returns what the model reads. The arguments may depend on the session's directory. */
async function callOverAcp(
  mcpServer: { readonly name: string; readonly env?: readonly object[] },
  tool: string,
  argsIn: (cwd: string) => object | Promise<object>,
): Promise<string> {
  const name = `${mcpServer.name}__${tool}`
  await using session: ScriptedSession = await openScriptedSession({
    script: async (request, index) =>
      index === 0 || (index < attemptsMax && isRefused(request))
        ? { toolCalls: [{ name, args: await argsIn(session.cwd) }] }
        : { text: 'done' },
    mcpServers: [mcpServer],
    capabilities: { session: { notices: {} } },
  })
  const { editor, model, sessionId } = session
  // The first step waits for a server for a limited time only, and this machine may be busy.
  await editor.waitForUpdate(sessionId, 'notice', ({ title }) => title.startsWith('1 MCP server connected'))
  expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
  expect(new Set(editor.permissionRequests().map(({ toolCall }) => toolCall.name))).toEqual(new Set([name]))
  const ends = editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? [update.status] : []))
  expect(ends.at(-1)).toBe('completed')
  const result = model.requests
    .at(-1)
    ?.messages.at(-1)
    ?.parts.find((part) => part.type === 'tool_result')
  return result?.text ?? ''
}

/** `server-filesystem` refuses calls until it has read the roots, which it only asks for once it is connected. */
const attemptsMax = 50
const isRefused = (request: ModelRequest) =>
  request.messages
    .at(-1)
    ?.parts.some((part) => part.type === 'tool_result' && part.text.includes('Access denied')) === true

describe.concurrent('the result of a real server reaches the model, over ACP:', () => {
  test('server-everything over stdio, a tool that runs only as a task', async () => {
    const result = await callOverAcp(everythingServer('all'), 'simulate-research-query', () => ({
      topic: 'the grey mare',
    }))
    expect(result).toContain('Research Report: the grey mare')
  })

  // Only allows access to the host's roots, which are the session's directories.
  test('server-filesystem', async () => {
    const script = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
    const server = packageServer('files', script)
    const writeNote = async (cwd: string) => {
      const path = join(cwd, 'note.txt')
      await writeFile(path, 'Feed the grey mare.')
      return { path }
    }
    expect(await callOverAcp(server, 'read_text_file', writeNote)).toContain('Feed the grey mare.')
  })

  test('git-mcp-server', async () => {
    const createRepository = async (path: string) => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=Groom', '-c', 'user.email=groom@example', ...args], {
          cwd: path,
        })
      git('init', '--quiet')
      await writeFile(join(path, 'note.txt'), 'Feed the grey mare.')
      git('add', '.')
      git('commit', '--quiet', '--message', 'feat: feed the grey mare')
      return { path }
    }
    expect(await callOverAcp({ ...gitServer(), env: compileCache }, 'git_log', createRepository)).toContain(
      'feat: feed the grey mare',
    )
  })

  test('server-memory', async () => {
    const entity = { name: 'Bess', entityType: 'horse', observations: ['likes oats'] }
    await using dir = await openTempDir()
    const env = [...compileCache, { name: 'MEMORY_FILE_PATH', value: join(dir.path, 'memory.jsonl') }]
    const server = packageServer(
      'memory',
      require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
    )
    expect(
      await callOverAcp({ ...server, env }, 'create_entities', () => ({ entities: [entity] })),
    ).toContain('likes oats')
  })

  test('server-sequential-thinking', async () => {
    const thought = { thought: 'Feed first.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    const server = packageServer(
      'steps',
      require.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
    )
    expect(await callOverAcp(server, 'sequentialthinking', () => thought)).toContain(
      '"thoughtHistoryLength": 1',
    )
  })

  test('dbhub, of revision 2026-07-28', async () => {
    const server = packageServer(
      'db',
      require.resolve('@bytebase/dbhub/dist/index.js'),
      '--transport',
      'stdio',
      '--demo',
    )
    expect(await callOverAcp(server, 'execute_sql', () => ({ sql: 'SELECT 40 + 2 AS hay' }))).toMatch(
      /"hay":\s*42/,
    )
  })

  test.skipIf(chromium === undefined)('a screenshot of playwright-mcp, once and as an image', async () => {
    const options = ['--headless', '--no-sandbox', '--isolated', '--executable-path', chromium ?? '']
    const calls = [
      { name: 'browser__browser_navigate', args: { url: 'data:text/html,<h1>Hay</h1>' } },
      // Without `scale`, which is required and has a default.
      { name: 'browser__browser_take_screenshot', args: {} },
    ]
    await using session = await openScriptedSession({
      script: (_, index) => (calls[index] === undefined ? { text: 'done' } : { toolCalls: [calls[index]] }),
      mcpServers: [
        packageServer('browser', join(dirname(require.resolve('@playwright/mcp')), 'cli.js'), ...options),
      ],
    })
    await session.editor.prompt(session.sessionId, 'go')
    const results =
      session.model.requests
        .at(-1)
        ?.messages.flatMap(({ parts }) => parts)
        .filter((part) => part.type === 'tool_result') ?? []
    const [navigated, shot] = results
    expect(navigated?.text).toContain('Hay')
    expect(shot?.files?.map(({ mediaType }) => mediaType)).toEqual(['image/png'])
    expect(shot?.text.length).toBeLessThan(2_000)
    expect(shot?.text).not.toContain(shot?.files?.[0]?.data.slice(0, 100))
  })
})

function packageServer(name: string, script: string, ...args: readonly string[]) {
  return { name, command: process.execPath, args: [script, ...args], env: compileCache }
}
