import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openServerService, type ServerService } from '../../packages/workbench/src/index.ts'
import { printedLog, type AcpPeer } from '../support/acp-harness.ts'
import { openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { processesWithArgument, survivorsAfter, until } from '../support/processes.ts'
import { stdioEntry } from '../support/service-lab.ts'
import { offeredIn as offered } from '../support/offered-tools.ts'

const token = 'tok-4f9c1b7e0d2a-LAST'

/** Changes the lab's state from another process than the agent's: this one. */
function openService(lab: AgentLab): Promise<ServerService> {
  return openServerService({ stateDir: join(lab.path, 'state'), env: {}, secretStore: 'file' })
}

const whole = (over: object = {}) => ({ ...stdioEntry('whole-server.mjs', 'stdio'), ...over })
const labEntry = (lab: AgentLab, server: string, over: object = {}) => ({
  type: 'stdio',
  ...lab.command(server),
  ...over,
})

/** Prompts until the model is offered exactly these tools. A change takes effect with the next prompt after it arrives. */
async function untilOffered(
  editor: AcpPeer,
  lab: AgentLab,
  sessionId: string,
  tools: readonly string[],
): Promise<void> {
  await until(`the tools ${tools.join(', ')}`, async () => {
    await sleep(50)
    await editor.prompt(sessionId, 'go')
    return JSON.stringify(offered(lab)) === JSON.stringify(tools)
  })
}

describe('a server stored while an agent runs', () => {
  it('joins its open sessions with tools and commands, and its secret reaches only this server', async () => {
    const use = {
      toolCalls: [
        { name: 'whole__length', args: { name: 'API_TOKEN' } },
        { name: 'whole__variable', args: { name: 'API_TOKEN' } },
      ],
    }
    await using lab = await openAgentLab((_, index) => (index === 1 ? use : { text: 'ok' }))
    await lab.writeAgentFile({})
    await using editor = await lab.start()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual([])

    await using service = await openService(lab)
    const { id } = await service.addServer({ name: 'whole', entry: whole({ env: { API_TOKEN: token } }) })
    await editor.waitForUpdate(sessionId, 'available_commands_update', ({ availableCommands }) =>
      availableCommands.some(({ name }) => name === 'whole:greet'),
    )
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toContain('whole__length')
    expect(editor.permissionRequests()).toHaveLength(2)
    const results = (lab.model.requests.at(-1)?.messages.at(-1)?.parts ?? []).map((part) =>
      'text' in part ? part.text : '',
    )
    expect(results).toEqual([String(token.length), '[redacted]'])
    expect((await service.getServer(id)).lastConnectedAt).toEqual(expect.any(String))

    const state = await readdir(join(lab.path, 'state'), { withFileTypes: true })
    expect(state.map(({ name }) => name)).toContain('ostler.db-wal')
    for (const file of state.filter((entry) => entry.isFile()))
      expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain(token)
    expect(editor.transcript.map(({ line }) => line).join('\n')).not.toContain(token)
    expect(editor.stderr()).not.toContain(token)

    await service.removeServer(id)
    await untilOffered(editor, lab, sessionId, [])
  })

  it('is changed, disabled, enabled, renamed and removed in all its sessions, and its processes end with it', async () => {
    await using lab = await openAgentLab()
    await lab.offer('one', ['alpha'])
    await lab.offer('two', ['beta'])
    await lab.writeAgentFile({})
    await using service = await openService(lab)
    const { id } = await service.addServer({ name: 'work', entry: labEntry(lab, 'one') })
    await using editor = await lab.open()
    const first = await openSession(editor, lab)
    const { sessionId: second } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(first, 'go')
    // Available from the first prompt on: prompts wait for stored servers as for those in the file.
    expect(offered(lab)).toEqual(['work__alpha'])
    const old = await processesWithArgument(join(lab.path, 'one.json'))

    await service.updateServer(id, { entry: labEntry(lab, 'two') })
    await untilOffered(editor, lab, second, ['work__beta'])
    expect(await survivorsAfter(old, 10_000)).toEqual([])
    await service.updateServer(id, { enabled: false })
    await untilOffered(editor, lab, first, [])
    await service.updateServer(id, { name: 'job', enabled: true })
    await untilOffered(editor, lab, second, ['job__beta'])
    await service.removeServer(id)
    await untilOffered(editor, lab, first, [])
    await until(
      'the end of its process',
      async () => (await processesWithArgument(join(lab.path, 'two.json'))).length === 0,
    )
  })

  it('never prevents the agent from starting, and its problems are reported', async () => {
    await using lab = await openAgentLab()
    await lab.offer('locked', ['unknown'])
    await lab.writeAgentFile({})
    await using service = await openService(lab)
    await service.addServer({ name: 'locked', entry: labEntry(lab, 'locked', { mode: 'strict' }) })
    await service.addServer({
      name: 'away',
      entry: { type: 'stdio', command: 'no-such-command', required: true },
    })
    await service.addServer({ name: 'unset', entry: { type: 'http', url: '${NOWHERE}' } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual([])
    await editor.prompt(sessionId, '/mcp')
    expect(editor.text(sessionId)).toContain('**away**: failed: command not found: no-such-command')
    expect(editor.text(sessionId)).toContain('the variable NOWHERE is not set')
    expect(printedLog(editor)).toContain(
      "Tool 'unknown' from MCP server 'locked' is not configured in the toolbox. It is left out.",
    )
  })

  it('ends with the agent', async () => {
    await using lab = await openAgentLab()
    await lab.offer('work', ['alpha'])
    await lab.writeAgentFile({})
    await using service = await openService(lab)
    await service.addServer({ name: 'work', entry: labEntry(lab, 'work') })
    const editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    const started = await processesWithArgument(join(lab.path, 'work.json'))
    expect(started).not.toEqual([])
    await editor[Symbol.asyncDispose]()
    expect(await survivorsAfter(started, 10_000)).toEqual([])
  })
})

describe('the stored servers that an agent uses', () => {
  it('exclude one whose name the agent file has, and that is reported', async () => {
    await using lab = await openAgentLab()
    await lab.offer('own', ['from_file'])
    await lab.offer('stored', ['from_store'])
    await lab.writeAgentFile({
      mcpServers: { work: labEntry(lab, 'own', { mode: 'dynamic', defaultToolConfig: {} }) },
    })
    await using service = await openService(lab)
    await service.addServer({ name: 'work', entry: labEntry(lab, 'stored') })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['work__from_file'])
    expect(printedLog(editor)).toContain(
      "The stored server 'work' is not used: the agent file has a server of that name",
    )
  })
})
