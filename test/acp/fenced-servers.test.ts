import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { probeFence } from '../../packages/agent-api/src/fence/probe-fence.ts'
import { openAcpProcess } from '../support/acp-harness.ts'
import { openScriptedSession, sumServer } from '../support/acp-scripted.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const maker = await probeFence()
const sessionServers = { sandbox: 'required', start: 'eager' } as const

describe.skipIf(maker.by === 'nothing')('where bubblewrap works', () => {
  test('a server of the editor works in its fence, and every place says so', async () => {
    await using session = await openScriptedSession({
      script: ({ messages }) =>
        messages.at(-1)?.parts.at(-1)?.type === 'tool_result'
          ? { text: 'done' }
          : { toolCalls: [{ name: 'sums__add', args: { a: 1, b: 2 } }] },
      mcpServers: [sumServer()],
      agent: { sessionServers },
    })
    const { editor, sessionId, model } = session
    await editor.prompt(sessionId, 'go')
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('"text":"3"')
    expect(JSON.stringify(editor.permissionRequests().at(-1)?.toolCall.content)).toContain(
      'It runs in a sandbox (bubblewrap)',
    )
    await editor.prompt(sessionId, '/mcp')
    expect(editor.text(sessionId)).toContain('in a sandbox (bubblewrap): it has no network')
  })

  test('no process of a fenced server outlives its session, nor an agent that is killed', async () => {
    await using dir = await openTempDir()
    const agentFile = join(dir.path, 'ostler.json')
    const project = join(dir.path, 'project')
    await mkdir(project)
    await writeFile(agentFile, JSON.stringify({ model: 'offline', sessionServers }))
    await using editor = await openAcpProcess({ args: ['--agent', agentFile] })
    await editor.initialize()
    const mark = randomUUID()
    const server = { ...sumServer(), args: [...sumServer().args, mark] }
    const open = async () => {
      const { sessionId } = await editor.newSession({ cwd: project, mcpServers: [server] })
      await editor.prompt(sessionId, '/mcp reconnect sums')
      expect(editor.text(sessionId)).toContain('in a sandbox')
      // bubblewrap outside, bubblewrap inside, and the server.
      expect((await processesWithArgument(mark)).length).toBeGreaterThanOrEqual(3)
      return sessionId
    }
    const gone = () =>
      until('its processes to be gone', async () => (await processesWithArgument(mark)).length === 0)
    await editor.request('session/delete', { sessionId: await open() })
    await gone()
    await open()
    editor.child.kill('SIGKILL')
    await gone()
  })
})

test('a server whose sandbox is required does not start where there is no bubblewrap, and says what to install', async () => {
  await using dir = await openTempDir()
  const agentFile = join(dir.path, 'ostler.json')
  await writeFile(
    agentFile,
    JSON.stringify({
      model: 'offline',
      sessionServers,
      mcpServers: { open: { ...sumServer(), type: 'stdio', env: {}, name: undefined, sandbox: 'on' } },
    }),
  )
  await using editor = await openAcpProcess({
    args: ['--agent', agentFile],
    // The shell for the watchdog, without the programs of the system.
    env: { PATH: [dirname(process.execPath), join(dir.path, 'nothing')].join(delimiter) },
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers: [sumServer('closed')] })
  await editor.prompt(sessionId, '/mcp reconnect')
  await editor.prompt(sessionId, '/mcp')
  const text = editor.text(sessionId)
  expect(text).toMatch(/\*\*closed\*\*: failed: .*its sandbox is required: bubblewrap is not installed/)
  expect(text).toMatch(/\*\*open\*\*: connected, 1 tool.* without a sandbox: bubblewrap is not installed/)
})
