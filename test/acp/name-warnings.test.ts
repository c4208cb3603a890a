import { join } from 'node:path'
import { openServerService } from '@ostler/workbench'
import { describe, expect, it } from 'vitest'
import { printedLog, type AcpInProcess } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { until } from '../support/processes.ts'

const entry = (lab: AgentLab, server: string, over: object = {}) => ({
  type: 'stdio',
  mode: 'dynamic',
  defaultToolConfig: {},
  ...lab.command(server),
  ...over,
})

async function store(lab: AgentLab, name: string): Promise<void> {
  const service = await openServerService({ stateDir: join(lab.path, 'state'), env: {}, secretStore: 'file' })
  await service.addServer({ name, entry: { type: 'stdio', ...lab.command(name) } })
  await service[Symbol.asyncDispose]()
}

describe('an unused entry of toolbox.tools', () => {
  it('is warned about at the start, once all servers have settled, with a similar name', async () => {
    await using lab = await openAgentLab()
    await lab.offer('work', ['search', 'fetch'])
    await lab.offer('kept', ['archive'])
    await store(lab, 'kept')
    const tools = [
      { name: 'serch' },
      { name: 'fetch', server: 'wrk' },
      { name: 'fetsh', server: 'work' },
      // These exist: a stored server's tool, the editor's, and one of a disabled server.
      { name: 'archive' },
      { name: 'run_command' },
      { name: 'other', server: 'off' },
    ]
    await lab.writeAgentFile({
      mcpServers: { work: entry(lab, 'work'), off: entry(lab, 'off', { enabled: false }) },
      toolbox: { tools },
    })
    await using editor = await lab.open()
    await editor.initialize()
    await until('the warnings', () => /'serch'[^]*'wrk'/.test(printedLog(editor)))
    expect(warnings(editor)).toEqual([
      "Tool 'fetsh' was configured but is no longer available from MCP server 'work'; did you mean 'fetch'?",
      "Tool 'serch' is configured in toolbox.tools but no MCP server of the agent offers it; did you mean 'search'?",
      "Tool 'fetch' is configured for the server 'wrk', which the agent does not have; did you mean 'work'?",
    ])
  })

  it('has the words of a tool that is gone if the agent has only one server, and so have its prompts', async () => {
    await using lab = await openAgentLab()
    await lab.offer('work', ['search'])
    await lab.writeAgentFile({
      mcpServers: { work: entry(lab, 'work', { prompts: ['greet'] }) },
      toolbox: { tools: [{ name: 'serch' }] },
    })
    await using editor = await lab.open()
    await editor.initialize()
    await until('the warning', () => printedLog(editor).includes("'serch'"))
    expect(warnings(editor)).toEqual([
      "Prompt 'greet' is listed for MCP server 'work', which does not offer it",
      "Tool 'serch' was configured but is no longer available from MCP server 'work'; did you mean 'search'?",
    ])
  })

  it("is not reported if it may refer to a tool of the editor's servers", async () => {
    await using lab = await openAgentLab()
    await lab.offer('work', ['search'])
    await lab.writeAgentFile({
      mcpServers: { work: entry(lab, 'work') },
      sessionServers: { mode: 'strict' },
      toolbox: { tools: [{ name: 'anything' }, { name: 'it', server: 'wrk' }] },
    })
    await using editor = await lab.open()
    await editor.initialize()
    await until('the warning', () => printedLog(editor).includes("'wrk'"))
    expect(printedLog(editor)).not.toContain('anything')
  })
})

describe('tools of the same name on several servers', () => {
  it('are warned about for stored servers and changing lists, in the log and in the report', async () => {
    await using lab = await openAgentLab()
    await lab.offer('file', ['get', 'one'])
    await lab.offer('kept', ['get', 'two'])
    await store(lab, 'kept')
    await lab.writeAgentFile({ mcpServers: { file: entry(lab, 'file') } })
    await using editor = await lab.open()
    await editor.initialize()
    const atStart = "Tool 'get' is offered by 2 MCP servers (file, kept); each is called by its server's name"
    await until('the first warning', () => printedLog(editor).includes(atStart))

    await lab.offer('kept', ['get', 'one'])
    const changed =
      "Tools 'get', 'one' are offered by 2 MCP servers (file, kept); each is called by its server's name"
    await until('the second warning', () => printedLog(editor).includes(changed))

    await lab.offer('editors', ['two', 'get'])
    const { sessionId } = await editor.newSession({
      cwd: lab.path,
      mcpServers: [{ name: 'editors', env: [], ...lab.command('editors') }],
    })
    await editor.prompt(sessionId, '/tools')
    await editor.prompt(sessionId, '/mcp')
    const inSession =
      "Tool 'get' is offered by 3 MCP servers (file, kept, editors); each is called by its server's name"
    expect(editor.text(sessionId)).toContain(inSession)
    expect(warnings(editor)).toEqual([atStart, changed, inSession])
  })

  it("a stored server added under the name of the editor's is logged, too", async () => {
    await using lab = await openAgentLab()
    await lab.writeAgentFile({})
    await lab.offer('same', ['get'])
    await using editor = await lab.open()
    await editor.initialize()
    await editor.newSession({
      cwd: lab.path,
      mcpServers: [{ name: 'same', env: [], ...lab.command('same') }],
    })
    await store(lab, 'same')
    await until('the warning', () =>
      printedLog(editor).includes("The editor's server 'same' overrides the agent's server of that name."),
    )
  })
})

function warnings({ log }: AcpInProcess): string[] {
  return log.filter(({ level }) => level === 'warn').map(({ message }) => message)
}
