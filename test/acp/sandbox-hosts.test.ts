import { describe, expect, inject, test } from 'vitest'
import { createStoredState } from '@ostler/agent-api/internal'
import { join } from 'node:path'
import type { AcpInProcess } from '../support/acp-harness.ts'
import { openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { fixturePath } from '../support/http-fixture.ts'
import { until } from '../support/processes.ts'
import { runCli } from '../support/run-cli.ts'

/** Exists nowhere, so an allowed connection fails because it is not found. */
const url = 'http://asked.invalid/'
const otherUrl = 'http://other.invalid/'
const allowedText = 'status 502 host not found'
const refusedText = 'status 403 asked.invalid is not allowed by the sandbox'
const commandLine = `curl -sSi -m 60 ${url}`

const fetching = (...args: string[]) => ({
  name: 'web',
  command: process.execPath,
  args: [fixturePath('fetching-server.mjs'), ...args],
  env: [],
})

async function openLab(): Promise<AgentLab> {
  const lab = await openAgentLab((request) => {
    const last = request.messages.at(-1)?.parts.at(-1)
    if (last?.type === 'tool_result') return { text: 'done' }
    return last?.type === 'text' && last.text.includes('command')
      ? { toolCalls: [{ name: 'run_command', args: { command: commandLine } }] }
      : {
          toolCalls: [
            {
              name: 'web__fetch',
              args: { url: last?.type === 'text' && last.text.includes('other') ? otherUrl : url },
            },
          ],
        }
  })
  const sandbox = 'required'
  await lab.writeAgentFile({
    approval: { mode: 'auto' },
    sessionServers: { sandbox },
    tools: { run_command: { sandbox } },
  })
  return lab
}

const choosing = (optionId: string) => ({
  onPermission: () => ({ outcome: { outcome: 'selected' as const, optionId } }),
})

async function resultOf(lab: AgentLab, editor: AcpInProcess, sessionId: string, text: string) {
  await editor.prompt(sessionId, text)
  const parts = lab.model.requests.at(-1)?.messages.flatMap((message) => message.parts) ?? []
  return parts.findLast((part) => part.type === 'tool_result')?.text
}

describe.skipIf(inject('fenceProblem') !== undefined)('a host that no setting names', () => {
  test('is asked for once, for a server: the question says who and where, and a no holds while it runs', async () => {
    await using lab = await openLab()
    await using editor = await lab.open(choosing('reject-once'))
    const sessionId = await openSession(editor, lab, [fetching()])
    expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(refusedText)
    expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(refusedText)
    const [asked, ...others] = editor.permissionRequests()
    expect(others).toEqual([])
    expect(asked?.toolCall.title).toBe('Connect the MCP server "web" to asked.invalid')
    expect(JSON.stringify(asked?.toolCall.content)).toContain('can reach only hosts that you allow')
    expect(asked?.options.map(({ name }) => name)).toEqual([
      'Allow once',
      'Allow connections to asked.invalid for this session',
      'Always allow connections to asked.invalid',
      'Reject once',
    ])
    using history = createStoredState({ stateDir: join(lab.path, 'state') })
    await until('the record', () => history.calls.list({ limit: 9, tool: 'connect' }).length > 0)
    expect(history.calls.list({ limit: 9, tool: 'connect' })).toMatchObject([
      { server: 'web', rule: 'person:deny-once', status: 'denied' },
    ])
  })

  test('with always, it is never asked for again, while the server is the same', async () => {
    await using lab = await openLab()
    {
      await using editor = await lab.open(choosing('allow-always'))
      const sessionId = await openSession(editor, lab, [fetching()])
      expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(allowedText)
      expect(editor.permissionRequests()).toHaveLength(1)
    }
    {
      await using editor = await lab.open(choosing('reject-once'))
      const sessionId = await openSession(editor, lab, [fetching()])
      expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(allowedText)
      expect(editor.permissionRequests()).toEqual([])
      expect(await resultOf(lab, editor, sessionId, 'fetch other')).toContain('403 other.invalid')
      expect(editor.permissionRequests()).toHaveLength(1)
    }
    await using editor = await lab.open(choosing('reject-once'))
    const sessionId = await openSession(editor, lab, [fetching('--changed')])
    expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(refusedText)
    expect(editor.permissionRequests()).toHaveLength(1)
  })

  test('with always, it also counts for a call by the person, who is not asked', async () => {
    await using lab = await openLab()
    const { command, args } = fetching()
    const web = { command, args, sandbox: 'required' }
    await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers: { web } })
    const call = async (address: string) => {
      const places = ['--agent', join(lab.path, 'ostler.json'), '--state-dir', join(lab.path, 'state')]
      const { stdout } = await runCli(['mcp', 'call', 'web', 'fetch', `url=${address}`, ...places], {
        cwd: lab.path,
        env: { HOME: process.env['HOME'] ?? '' },
      })
      return stdout
    }
    expect(await call(url)).toContain(refusedText)
    {
      await using editor = await lab.open(choosing('allow-always'))
      const sessionId = await openSession(editor, lab)
      expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(allowedText)
    }
    expect(await call(url)).toContain(allowedText)
    expect(await call(otherUrl)).toContain('403 other.invalid')
  })

  test('for a command, a yes lasts for the session at most', async () => {
    await using lab = await openLab()
    await using editor = await lab.open(choosing('allow-session'))
    const sessionId = await openSession(editor, lab)
    const allowed = 'HTTP/1.1 502 host not found'
    expect(await resultOf(lab, editor, sessionId, 'command')).toContain(allowed)
    expect(await resultOf(lab, editor, sessionId, 'command')).toContain(allowed)
    const [asked, ...others] = editor.permissionRequests()
    expect(others).toEqual([])
    expect(asked?.toolCall.title).toBe('Connect a command to asked.invalid')
    expect(asked?.options.map(({ optionId }) => optionId)).toEqual([
      'allow-once',
      'allow-session',
      'reject-once',
    ])
    // Another session asks again.
    const { sessionId: next } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
    await resultOf(lab, editor, next, 'command')
    expect(editor.permissionRequests()).toHaveLength(2)
  })

  test.each(['allow-always', 'nonsense'])('for a command, %s is a no', async (optionId) => {
    await using lab = await openLab()
    await using editor = await lab.open(choosing(optionId))
    const sessionId = await openSession(editor, lab)
    expect(await resultOf(lab, editor, sessionId, 'command')).toContain('403 asked.invalid')
  })

  test('a command that was allowed once is asked about again', async () => {
    await using lab = await openLab()
    await using editor = await lab.open(choosing('allow-once'))
    const sessionId = await openSession(editor, lab)
    await resultOf(lab, editor, sessionId, 'command')
    await resultOf(lab, editor, sessionId, 'command')
    expect(editor.permissionRequests()).toHaveLength(2)
  })

  test('a question that is closed, or whose command is cancelled, is a no', async () => {
    await using lab = await openLab()
    await using editor = await lab.open({
      onPermission: () => ({ outcome: { outcome: 'cancelled' as const } }),
    })
    const sessionId = await openSession(editor, lab)
    expect(await resultOf(lab, editor, sessionId, 'command')).toContain('403 asked.invalid')
  })

  test('servers of the agent ask in the session whose call is open', async () => {
    await using lab = await openLab()
    const { name: _, env: __, ...server } = fetching()
    await lab.writeAgentFile({
      approval: { mode: 'auto' },
      mcpServers: {
        web: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...server, sandbox: 'required' },
      },
    })
    {
      await using editor = await lab.open(choosing('allow-always'))
      const sessionId = await openSession(editor, lab)
      expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(allowedText)
      expect(editor.permissionRequests()).toHaveLength(1)
    }
    await using editor = await lab.open(choosing('reject-once'))
    const sessionId = await openSession(editor, lab)
    expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(allowedText)
    expect(editor.permissionRequests()).toEqual([])
  })

  test('a host in the settings needs no question', async () => {
    await using lab = await openLab()
    const sandbox = { level: 'required', hosts: ['*.invalid'] }
    await lab.writeAgentFile({
      approval: { mode: 'auto' },
      sessionServers: { sandbox },
      tools: { run_command: { sandbox } },
    })
    await using editor = await lab.open(choosing('reject-once'))
    const sessionId = await openSession(editor, lab, [fetching()])
    expect(await resultOf(lab, editor, sessionId, 'fetch')).toContain(allowedText)
    expect(await resultOf(lab, editor, sessionId, 'command')).toContain('502 host not found')
    expect(editor.permissionRequests()).toEqual([])
  })
})
