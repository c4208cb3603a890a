import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLogger, openStoredState } from '@ostler/agent-api/internal'
import { describe, expect, it } from 'vitest'
import { entryOf as entry, openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { printedLog } from '../support/acp-harness.ts'
import type { ModelRequest } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { until } from '../support/processes.ts'
import { offeredIn as offered, toldTools } from '../support/offered-tools.ts'

/** Starts the agent of the file without an editor, and ends it. */
async function startAlone(lab: AgentLab): Promise<void> {
  await using agent = await lab.openAgent(silentLogger)
  await agent.started
}

describe('the start', () => {
  it('starts with strict and dynamic servers side by side, and offers what each admits', async () => {
    await using lab = await openAgentLab()
    await lab.offer('free', ['one', 'two'])
    await lab.offer('locked', ['three'])
    await lab.writeAgentFile({
      mcpServers: {
        free: entry(lab, 'free'),
        locked: entry(lab, 'locked', { mode: 'strict', defaultToolConfig: undefined }),
      },
      toolbox: { tools: [{ name: 'three' }] },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    expect(offered(lab)).toEqual(['free__one', 'free__two', 'locked__three'])
    expect(printedLog(editor)).toBe('')
  })

  it.each(['strict', 'dynamic'])('starts with %s servers only', async (mode) => {
    await using lab = await openAgentLab()
    await lab.offer('first', ['one'])
    await lab.offer('second', ['two'])
    const over = mode === 'strict' ? { mode, defaultToolConfig: undefined } : { mode }
    await lab.writeAgentFile({
      mcpServers: { first: entry(lab, 'first', over), second: entry(lab, 'second', over) },
      toolbox: { tools: mode === 'strict' ? [{ name: 'one' }, { name: 'two', server: 'second' }] : [] },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['first__one', 'second__two'])
    expect(printedLog(editor)).toBe('')
  })

  it('starts with an entry as it is in a README, and logs that it counts as dynamic', async () => {
    await using lab = await openAgentLab()
    await lab.offer('work', ['one'])
    await lab.writeAgentFile({ mcpServers: { work: lab.command('work') } })
    await using editor = await lab.open()
    await editor.prompt(await openSession(editor, lab), 'go')
    expect(offered(lab)).toEqual(['work__one'])
    expect(printedLog(editor, ['info'])).toMatch(
      /mcpServers\.work: counts as mode: dynamic with the default limits/,
    )
  })

  it('starts with local tools and server tools, and distinguishes two with the same name', async () => {
    const both = ['shout', 'work__shout'].map((name) => ({ name, args: {} }))
    await using lab = await openAgentLab([{ toolCalls: both }, { text: 'done' }])
    await lab.offer('work', ['shout'])
    await writeFile(
      join(lab.path, 'shout.mjs'),
      `export const shout = { ref: { server: null, tool: 'shout' }, description: 'Shouts', inputSchema: { type: 'object' }, kind: 'other',
        execute: async () => ({ isError: false, content: [{ type: 'text', text: 'HEY' }] }) }`,
    )
    await lab.writeAgentFile({
      approval: { mode: 'auto' },
      localTools: ['./shout.mjs'],
      mcpServers: { work: entry(lab, 'work', { mode: 'strict', defaultToolConfig: undefined }) },
      toolbox: { tools: [{ name: 'shout' }] },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['shout', 'work__shout'])
    expect(lab.model.requests.at(-1)?.messages.at(-1)?.parts).toMatchObject([
      { text: 'HEY' },
      { text: 'shout is done' },
    ])
  })

  it("offers the model each tool's description and schema as its server gave them", async () => {
    await using lab = await openAgentLab()
    const weigh = {
      name: 'weigh',
      description: 'Weighs a horse of the stable.',
      inputSchema: {
        type: 'object',
        properties: {
          horse: { type: 'string', description: 'Its name' },
          unit: { type: 'string', enum: ['kg', 'lb'] },
        },
        required: ['horse'],
        additionalProperties: false,
      },
    }
    await lab.offer('work', [weigh])
    await lab.writeAgentFile({ mcpServers: { work: entry(lab, 'work') } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(lab.model.requests.at(-1)?.tools.filter(({ name }) => name.includes('__'))).toEqual([
      { ...weigh, name: 'work__weigh' },
    ])
  })

  it('starts with a previously rejected server once it is dynamic', async () => {
    await using lab = await openAgentLab()
    await lab.offer('work', ['one'])
    await lab.writeAgentFile({ mcpServers: { work: entry(lab, 'work', { mode: 'strict' }) } })
    await expect(startAlone(lab)).rejects.toThrow("Tool 'one' from MCP server 'work' is not configured")
    await lab.writeAgentFile({ mcpServers: { work: entry(lab, 'work') } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['work__one'])
  })

  it('continues without an optional server, and reports it', async () => {
    await using lab = await openAgentLab()
    await lab.offer('here', ['one'])
    await lab.writeAgentFile({
      mcpServers: {
        gone: entry(lab, 'gone', { command: 'no-such-program', args: [] }),
        here: entry(lab, 'here'),
      },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['here__one'])
    expect(editor.text(sessionId)).toContain('gone')
    expect(printedLog(editor)).toContain('no-such-program')
  })

  it('does not start a disabled server', async () => {
    await using lab = await openAgentLab()
    await lab.offer('off', ['one'])
    await lab.writeAgentFile({ mcpServers: { off: entry(lab, 'off', { enabled: false }) } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual([])
  })

  it('lets the environment override the file', async () => {
    await using lab = await openAgentLab()
    await lab.offer('locked', ['unknown'])
    await lab.writeAgentFile({ mcpServers: { locked: entry(lab, 'locked', { mode: 'strict' }) } })
    await using editor = await lab.open({ env: { OSTLER_MCP_SERVERS__LOCKED__MODE: 'dynamic' } })
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['locked__unknown'])
  })
})

describe('changes of tools while the agent runs', () => {
  it('a dynamic server’s new tool is registered, a strict one’s is left out, and a removed one is gone', async () => {
    await using lab = await openAgentLab()
    await lab.offer('free', ['one'])
    await lab.offer('locked', ['two'])
    await lab.writeAgentFile({
      mcpServers: { free: entry(lab, 'free'), locked: entry(lab, 'locked', { mode: 'strict' }) },
      toolbox: { tools: [{ name: 'two' }, { name: 'one', server: 'free' }] },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    const printed = () => printedLog(editor, ['warn', 'info'])
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['free__one', 'locked__two'])

    await lab.offer('free', ['late'])
    await lab.offer('locked', ['two', 'smuggled'])
    await until('both changes', () => printed().includes("'late'") && printed().includes("'smuggled'"))
    await editor.prompt(sessionId, 'go')
    // The known tools come first, for the vendor's cache.
    expect(offered(lab)).toEqual(['locked__two', 'free__late'])
    expect(printed()).toContain(
      "info New tool 'late' discovered from MCP server 'free', registering with default configuration",
    )
    expect(printed()).toContain(
      "warn Tool 'one' was configured but is no longer available from MCP server 'free'",
    )
    expect(printed()).toContain(
      "warn New tool 'smuggled' discovered from MCP server 'locked' is not configured in the toolbox",
    )
  })
})

describe('the servers of the editor', () => {
  it('are restricted to the toolbox by sessionServers: strict', async () => {
    await using lab = await openAgentLab()
    await lab.offer('editors', ['known', 'unknown'])
    await lab.writeAgentFile({ sessionServers: { mode: 'strict' }, toolbox: { tools: [{ name: 'known' }] } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [
      { name: 'editors', env: [], ...lab.command('editors') },
    ])
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['editors__known'])
    expect(printedLog(editor)).toContain(
      "Tool 'unknown' from MCP server 'editors' is not configured in the toolbox.",
    )
  })
})

describe("an editor's server with the name of an agent's server", () => {
  it('replaces it, in that session only, and the session is told', async () => {
    const script = (request: ModelRequest) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: 'done' }
        : { toolCalls: [{ name: 'work__same', args: {} }] }
    await using lab = await openAgentLab(script)
    await lab.offer('agents', ['same', 'own'])
    await lab.offer('editors', ['same'])
    await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers: { work: entry(lab, 'agents') } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [{ name: 'work', env: [], ...lab.command('editors') }])
    const { sessionId: other } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['work__same'])
    expect([await lab.log('editors'), await lab.log('agents')]).toEqual([['start same', 'end same'], []])
    expect(editor.text(sessionId)).toContain(
      "The editor's server 'work' overrides the agent's server of that name.",
    )
    await editor.prompt(other, 'go')
    expect(offered(lab).toSorted()).toEqual(['work__own', 'work__same'])
    expect(await lab.log('agents')).toEqual(['start same', 'end same'])
    expect(editor.text(other)).not.toContain("overrides the agent's server")
  })
})

describe("an editor's server that cannot be reached", () => {
  it("hides the agent's server of its name: no call reaches another server than the one that was chosen", async () => {
    const script = (request: ModelRequest) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: 'done' }
        : { toolCalls: [{ name: 'work__same', args: {} }] }
    await using lab = await openAgentLab(script)
    await lab.offer('agents', ['same'])
    await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers: { work: entry(lab, 'agents') } })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [
      { name: 'work', command: '/no/such/program', args: [], env: [] },
    ])
    for (const prompt of ['go', 'again']) await editor.prompt(sessionId, prompt)
    expect(editor.text(sessionId)).toContain('not available: work')
    expect(offered(lab)).toEqual([])
    expect(await lab.log('agents')).toEqual([])
  })
})

describe('offered tools', () => {
  it("include every tool of the editor's servers, without a search", async () => {
    const nouns = ['invoice', 'customer', 'order', 'parcel']
    const find = {
      toolCalls: [
        { name: 'find_tools', args: { query: 'delete an invoice, a customer, an order or a parcel' } },
      ],
    }
    await using lab = await openAgentLab([find, { text: 'ok' }])
    const tools = nouns.map((noun) => ({ name: `delete_${noun}`, description: `Deletes one ${noun}` }))
    await lab.offer('shop', tools)
    await lab.offer('guest', tools)
    await lab.writeAgentFile({
      toolBudget: 2,
      mcpServers: { shop: entry(lab, 'shop') },
      // Without a server, these entries apply to both.
      toolbox: { tools: tools.map(({ name }) => ({ name, include: 'agent' })) },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [{ name: 'guest', env: [], ...lab.command('guest') }])
    await editor.prompt(sessionId, 'delete the invoice')
    const guests = (step: number) => offered(lab, step).filter((name) => name.startsWith('guest__'))
    expect(guests(0)).toEqual(tools.map(({ name }) => `guest__${name}`))
    // Only the agent's tools count towards the budget.
    expect(toldTools(lab.model.requests[0])).toHaveLength(2)
    const found = JSON.stringify(lab.model.requests.at(-1)?.messages.at(-1)?.parts)
    expect(found).toContain('- shop__delete_parcel: Deletes one parcel')
    expect(found).not.toContain('guest')
    expect(guests(1)).toHaveLength(4)
  })

  const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] })

  it('always, manual and agent: the budget limits the search, the person adds by hand, the model searches for more', async () => {
    const script = (_: unknown, index: number) =>
      [2, 3].includes(index) ? call('find_tools', { query: 'delete an invoice' }) : { text: 'ok' }
    await using lab = await openAgentLab(script)
    const many = ['invoice', 'customer', 'order', 'parcel', 'ticket'].flatMap((noun) =>
      ['create', 'delete', 'list', 'update'].map((verb) => ({
        name: `${verb}_${noun}`,
        description: `${verb}s one ${noun} of the shop`,
      })),
    )
    await lab.offer('shop', many)
    await lab.offer('base', ['ping'])
    await lab.offer('rare', ['selfdestruct'])
    await lab.writeAgentFile({
      toolBudget: 3,
      mcpServers: {
        shop: entry(lab, 'shop', { include: 'agent' }),
        base: entry(lab, 'base'),
        rare: entry(lab, 'rare', { include: 'manual' }),
      },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'Please update the customer Miller')
    const first = offered(lab)
    expect(first.toSorted()).toEqual(['base__ping', 'tool_search_tool_bm25'])
    const told = toldTools(lab.model.requests[0])
    expect(told).toContain('shop__update_customer')
    expect(told).toHaveLength(3)

    await editor.prompt(sessionId, '/tools add rare:selfdestruct')
    await editor.prompt(sessionId, 'ping')
    expect(offered(lab)).toContain('rare__selfdestruct')
    await editor.prompt(sessionId, '/tools remove rare:selfdestruct')

    await editor.prompt(sessionId, 'which tickets are there?')
    // A search does not change the list, so it finds the same tools again.
    expect(offered(lab, 2).toSorted()).toEqual(first.toSorted())
    for (const index of [3, 4]) {
      expect(offered(lab, index)).toEqual(offered(lab, 2))
      expect(lab.model.requests[index]?.messages.at(-1)?.parts).toMatchObject([
        { text: expect.stringMatching(/^Call these tools with use_tool:\n- shop__delete_invoice: /) },
      ])
    }
    expect(editor.permissionRequests()).toEqual([])
  })

  it('are not listed for a model that reads schemas in results, beyond those that match the prompt', async () => {
    await using lab = await openAgentLab(() => ({ text: 'ok' }), 'google')
    const nouns = ['invoice', 'customer', 'order', 'parcel', 'ticket']
    await lab.offer(
      'shop',
      nouns.map((noun) => ({ name: `delete_${noun}`, description: `Deletes one ${noun}` })),
    )
    await lab.offer('base', ['ping'])
    await lab.writeAgentFile({
      toolBudget: 1,
      mcpServers: {
        shop: entry(lab, 'shop', { include: 'agent' }),
        base: entry(lab, 'base', { schemas: 'deferred' }),
      },
    })
    await using editor = await lab.open()
    await editor.prompt(await openSession(editor, lab), 'remove the customer Miller')
    expect(offered(lab)).not.toContain('base__ping')
    const told = lab.model.requests[0]?.messages.map(textOf).join('\n') ?? ''
    expect(told.match(/^- \w+__\w+/gm)).toEqual(['- base__ping', '- shop__delete_customer'])
  })

  it('are found for the prompt of a small local model, and tools that it reads anyway take no room of the budget', async () => {
    await using lab = await openAgentLab(() => ({ text: 'ok' }), 'ollama')
    const toTool = (noun: string) => ({ name: `delete_${noun}`, description: `Deletes one ${noun}` })
    await lab.offer('shop', ['invoice', 'customer', 'order'].map(toTool))
    await lab.offer('guest', [toTool('customer'), toTool('customer_Miller')])
    await lab.writeAgentFile({
      toolBudget: 1,
      mcpServers: { shop: entry(lab, 'shop', { include: 'agent' }) },
    })
    await using editor = await lab.open()
    const guest = { name: 'guest', env: [], ...lab.command('guest') }
    await editor.prompt(await openSession(editor, lab, [guest]), 'remove the customer Miller')
    expect(offered(lab).filter((name) => name.includes('__'))).toEqual([
      'shop__delete_customer',
      'guest__delete_customer',
      'guest__delete_customer_Miller',
    ])
  })

  it('are in the history with the reason why others were left out, once for each change', async () => {
    const script = (_: unknown, index: number) =>
      index === 1 ? call('find_tools', { query: 'delete an invoice' }) : { text: 'ok' }
    await using lab = await openAgentLab(script)
    const verbs = ['create', 'delete', 'list'].map((verb) => ({
      name: `${verb}_invoice`,
      description: `${verb}s one invoice`,
    }))
    await lab.offer('shop', verbs)
    await lab.offer('rare', ['selfdestruct'])
    await lab.offer('firm', ['known'])
    await lab.offer('mine', ['same'])
    await lab.writeAgentFile({
      toolBudget: 1,
      toolbox: { tools: [{ name: 'known', server: 'firm' }] },
      mcpServers: {
        shop: entry(lab, 'shop', { include: 'agent' }),
        rare: entry(lab, 'rare', { include: 'manual' }),
        firm: entry(lab, 'firm', { mode: 'strict', defaultToolConfig: undefined }),
        mine: entry(lab, 'mine'),
        down: {
          type: 'stdio',
          command: join(lab.path, 'nothing'),
          mode: 'dynamic',
          defaultToolConfig: {},
          retryAttempts: 0,
        },
      },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [{ name: 'mine', env: [], ...lab.command('mine') }])
    await editor.prompt(sessionId, 'list the invoices')
    await editor.prompt(sessionId, 'list the invoices')
    await editor.prompt(sessionId, '/mcp disable rare')
    await lab.offer('firm', ['known', 'new'])
    using history = openStoredState({ stateDir: join(lab.path, 'state') })
    const last = () =>
      history?.sessions.offers
        .list(sessionId)
        .at(-1)
        ?.left.map(({ reason }) => reason)
    await until(
      'the new tool',
      async () => (await editor.prompt(sessionId, 'list the invoices')) && last()?.includes('strict'),
    )
    const offers = history?.sessions.offers.list(sessionId) ?? []
    const shown = offers.map(({ turn, step, tools, left }) => ({
      turn,
      step,
      tools,
      left: Object.fromEntries(left.map((each) => [each.reason, each.names])),
    }))
    const always = { overridden: ['mine'], unconnected: ['down'] }
    // The vendor searches by itself: the request has no tool of Ostler for that.
    const before = ['firm__known', 'mine__same']
    expect(shown[0]).toEqual({
      turn: 1,
      step: 1,
      tools: expect.arrayContaining(before),
      left: {
        search: ['shop:create_invoice', 'shop:delete_invoice', 'shop:list_invoice'],
        manual: ['rare:selfdestruct'],
        ...always,
      },
    })
    expect(shown[0]?.tools).not.toContain('find_tools')
    expect(shown.at(-1)).toMatchObject({ left: { disabled: ['rare'], strict: ['firm:new'] } })
    // The search of the second turn changed nothing.
    expect(shown.filter(({ turn }) => turn === 2)).toEqual([])
    // Nothing is stored while nothing changes.
    expect(offers.length).toBeLessThanOrEqual(5)
  })

  it('are not those that the file denies or its lists leave out, and a call of one is denied', async () => {
    const calls = ['work__drop', 'guest__look'].map((name) => ({ name, args: {} }))
    await using lab = await openAgentLab([{ toolCalls: calls }, { text: 'ok' }])
    await lab.offer('work', ['keep', 'drop', 'hide'])
    await lab.offer('guest', ['look', 'see'])
    await lab.writeAgentFile({
      approval: { mode: 'auto' },
      mcpServers: { work: entry(lab, 'work', { include: 'agent', toolDenylist: ['hi*'] }) },
      toolbox: {
        tools: [
          { name: 'drop', approval: 'deny' },
          { name: 'see', approval: 'allow' },
        ],
      },
      sessionServers: { approval: 'deny' },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, [{ name: 'guest', env: [], ...lab.command('guest') }])
    await editor.prompt(sessionId, 'go')
    expect(offered(lab)).toEqual(['work__keep', 'guest__see'])
    expect(lab.model.requests.at(-1)?.messages.at(-1)?.parts).toMatchObject(
      calls.map(() => ({ text: expect.stringContaining('not allowed (tool:deny)') })),
    )
    await editor.prompt(sessionId, '/tools add work:drop')
    expect(editor.text(sessionId)).toContain('`work:drop` is denied by the agent file, so it is not offered.')
    using history = openStoredState({ stateDir: join(lab.path, 'state') })
    expect(history?.sessions.offers.list(sessionId)[0]?.left).toEqual([
      { reason: 'denied', names: ['work:drop', 'guest:look'], count: 2 },
      { reason: 'strict', names: ['work:hide'], count: 1 },
    ])
  })

  it('an agent file can replace a built-in tool by a local one of its name', async () => {
    await using lab = await openAgentLab([
      { toolCalls: [{ name: 'read_file', args: { path: 'notes.txt' } }] },
      { text: 'ok' },
    ])
    await writeFile(
      join(lab.path, 'read.mjs'),
      `export const read = { ref: { server: null, tool: 'read_file' }, description: 'Reads', inputSchema: { type: 'object' }, kind: 'read',
        execute: async () => ({ isError: false, content: [{ type: 'text', text: 'from the module' }] }) }`,
    )
    await lab.writeAgentFile({
      localTools: ['./read.mjs'],
      toolbox: { tools: [{ name: 'read_file' }] },
      approval: { mode: 'auto' },
    })
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'read')
    expect(lab.model.requests[0]?.tools.filter(({ name }) => name.startsWith('read_file'))).toMatchObject([
      { description: 'Reads' },
    ])
    expect(lab.model.requests.at(-1)?.messages.at(-1)?.parts).toMatchObject([{ text: 'from the module' }])
  })
})
