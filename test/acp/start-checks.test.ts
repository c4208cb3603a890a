import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStoredState } from '@ostler/agent-api/internal'
import { describe, expect, it } from 'vitest'
import { entryOf as entry, openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { offeredIn as offered } from '../support/offered-tools.ts'

describe('before the first prompt is answered', () => {
  const slow = (lab: AgentLab, server: string, over: object = {}) => {
    const { command, args } = lab.command(server)
    return entry(lab, server, {
      ...over,
      command: 'sh',
      args: ['-c', `sleep 1.5; exec "$0" "$@"`, command, ...args],
    })
  }
  const missing = { command: 'sh', args: ['-c', 'sleep 1.5; exit 3'], required: true }
  const notices = { capabilities: { session: { notices: {} } } } as const

  it.each([
    [
      'a strict server has answered',
      (lab: AgentLab) => slow(lab, 'locked', { mode: 'strict', defaultToolConfig: undefined }),
    ],
    ['a required server has answered', (lab: AgentLab) => slow(lab, 'locked', { required: true })],
  ])('%s, however short the time for other servers', async (_case, toEntry) => {
    await using lab = await openAgentLab()
    await lab.offer('locked', ['known'])
    await lab.writeAgentFile({
      connectWait: '1ms',
      mcpServers: { locked: toEntry(lab) },
      toolbox: { tools: [{ name: 'known' }] },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['locked__known'])
  })

  it.each([
    ['a command', '/mcp', {}],
    ['a message, in an editor with notices', 'go', notices],
  ])('a violation answers %s, is in the log, and ends the process', async (_case, prompt, options) => {
    await using lab = await openAgentLab()
    await lab.offer('locked', ['unknown'])
    await lab.writeAgentFile({
      connectWait: '1ms',
      mcpServers: { locked: slow(lab, 'locked', { mode: 'strict' }) },
    })
    const log = join(lab.path, 'log')
    await using editor = await lab.start({ ...options, args: ['--log-file', log] })
    const sessionId = await openSession(editor, lab)
    await expect(editor.prompt(sessionId, prompt)).rejects.toMatchObject({
      message: expect.stringContaining(
        "Tool 'unknown' from MCP server 'locked' is not configured in the toolbox.",
      ),
      data: { code: 'agent.strict_violation' },
    })
    expect(await editor.exit).toMatchObject({ code: 1 })
    expect(editor.stderr()).toContain("ostler: Tool 'unknown' from MCP server 'locked'")
    const lines = (await readFile(log, 'utf8')).split('\n')
    expect(lines.filter((line) => / error ended: .*'unknown'/.test(line))).toHaveLength(1)
    expect(lab.model.requests).toEqual([])
    const told = editor
      .updates(sessionId)
      .filter((update) => update.sessionUpdate === 'notice' && update.severity === 'error')
    expect(told).toHaveLength('capabilities' in options ? 1 : 0)
  })

  it('a missing required server answers it, and ends the process', async () => {
    await using lab = await openAgentLab()
    await lab.writeAgentFile({ connectWait: '1ms', mcpServers: { gone: entry(lab, 'gone', missing) } })
    await using editor = await lab.start()
    const sessionId = await openSession(editor, lab)
    await expect(editor.prompt(sessionId, 'go')).rejects.toMatchObject({
      message: expect.stringContaining("Failed to connect to MCP server 'gone'"),
      data: { code: 'agent.server_required' },
    })
    expect(await editor.exit).toMatchObject({ code: 1 })
    expect(lab.model.requests).toEqual([])
    using history = openStoredState({ stateDir: join(lab.path, 'state') })
    expect(history?.presence.lastEnd()).toMatchObject({
      reason: expect.stringContaining("Failed to connect to MCP server 'gone'"),
    })
  })

  it('a required server that fails at once is reported in a session that has just been opened', async () => {
    await using lab = await openAgentLab()
    const refused = {
      type: 'http',
      url: 'http://127.0.0.1:1/mcp',
      mode: 'dynamic',
      defaultToolConfig: {},
      required: true,
    }
    await lab.writeAgentFile({ mcpServers: { refused } })
    await using editor = await lab.start(notices)
    await editor.initialize()
    const opened = await editor.newSession({ cwd: lab.path }).catch((error: unknown) => error)
    expect(await editor.exit).toMatchObject({ code: 1 })
    const told = opened instanceof Error ? opened.message : JSON.stringify(editor.received())
    expect(told).toContain("Failed to connect to MCP server 'refused'")
  })

  it.each([
    [
      'a required server is missing',
      { required: true },
      'agent.server_required',
      "Failed to connect to MCP server 'gone'",
    ],
    [
      'the agent file is wrong',
      { mode: 'loose' },
      'config.invalid',
      'found "loose"; expected strict or dynamic',
    ],
  ])(
    'where %s, an editor that has not requested a session yet gets the error when it does',
    async (_case, over, code, reason) => {
      await using lab = await openAgentLab()
      await lab.writeAgentFile({
        mcpServers: { gone: entry(lab, 'gone', { command: 'no-such-program', args: [], ...over }) },
      })
      await using editor = await lab.start()
      await editor.initialize()
      await until('the failure', () => editor.stderr().includes(reason))
      await expect(editor.newSession({ cwd: lab.path })).rejects.toMatchObject({
        message: expect.stringContaining(reason),
        data: { code },
      })
      expect(await editor.exit).toMatchObject({ code: 1 })
    },
  )

  it('a cancel is answered at once', async () => {
    await using lab = await openAgentLab()
    const hung = { command: 'sh', args: ['-c', 'exec sleep 600'], required: true }
    await lab.writeAgentFile({ connectWait: '1ms', mcpServers: { hung: entry(lab, 'hung', hung) } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    const answer = editor.prompt(sessionId, 'go')
    await until('the report', () => editor.text(sessionId).includes('still connecting'))
    editor.notify('session/cancel', { sessionId })
    expect(await answer).toEqual({ stopReason: 'cancelled' })
  })
})

it('after a prompt nothing ends it: a late strict server is admitted as configured, a failing required one is reported', async () => {
  await using lab = await openAgentLab()
  await lab.offer('here', ['one'])
  const late = join(lab.path, 'late.json')
  const { command, args } = lab.command('late')
  const [script = ''] = args
  await lab.writeAgentFile({
    mcpServers: {
      here: entry(lab, 'here', { required: true, retryAttempts: 0 }),
      // Exits, because its list does not exist yet.
      late: entry(lab, 'late', { mode: 'strict', command, args: [script, late], retryAttempts: 0 }),
    },
    toolbox: { tools: [{ name: 'known' }] },
  })
  await using editor = await lab.start()
  const sessionId = await openSession(editor, lab)
  await editor.prompt(sessionId, 'go')
  expect(offered(lab)).toEqual(['here__one'])
  await lab.offer('late', ['known', 'unknown'])
  await until('the late server', async () => {
    await sleep(100)
    await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'go')
    return offered(lab).length > 1
  })
  expect(offered(lab)).toEqual(['here__one', 'late__known'])
  expect(editor.stderr()).toContain(
    "Tool 'unknown' from MCP server 'late' is not configured in the toolbox. It is left out.",
  )

  const [pid] = await processesWithArgument(join(lab.path, 'here.json'))
  await rm(join(lab.path, 'here.json'))
  process.kill(pid!, 'SIGKILL')
  await until('the report', async () => {
    await sleep(100)
    await editor.prompt(sessionId, '/mcp')
    return /\*\*here\*\*: failed/.test(editor.text(sessionId))
  })
  expect(editor.child.exitCode).toBeNull()
})
