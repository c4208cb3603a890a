import type { ApprovalQuestion } from '@ostler/agent-api'
import { join } from 'node:path'
import type { TurnEvent } from '@ostler/agent-api'
import { openState } from '@ostler/agent-api/internal'
import { describe, expect, it } from 'vitest'
import { everythingServer, lastOf, openAgent, promptText, slowServer, textOf } from './agent-harness.ts'

const hello = () => ({ text: 'hello' })
function reportOf(events: readonly TurnEvent[]) {
  return events.flatMap((event) => (event.type === 'server_report' ? [event.report] : []))
}

/** The names of the servers' tools that are offered in a request to the model. */
function offered(request: { tools: readonly { name: string }[] } | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name).filter((name) => name.includes('__'))
}

describe('the servers of a session', () => {
  it('are reported when they take too long, and join the first step that finds them', async () => {
    await using setup = await openAgent(hello, { connectWaitMs: 50 })
    const session = setup.agent.createSession({
      cwd: setup.folder,
      sessionMcpServers: [slowServer('late', 3_000)],
    })
    expect(reportOf(await promptText(session, 'hi'))).toMatchObject([{ waiting: ['late'] }])
    await session.serversSettled
    await promptText(session, 'hi')
    expect(setup.model.requests.map(offered)).toEqual([[], ['late__late_tool']])
  })

  it('start after the session has opened, and their secrets are known before', async () => {
    await using setup = await openAgent(hello)
    const guest = slowServer('guest', 0)
    setup.agent.createSession({
      cwd: setup.folder,
      sessionMcpServers: [{ ...guest, env: { API_TOKEN: 'canary-5d2f8e01' } }],
    })
    expect(setup.agent.redact('the canary-5d2f8e01')).toBe('the [redacted]')
    expect(() => setup.agent.createSession({ cwd: setup.folder, sessionMcpServers: [guest, guest] })).toThrow(
      "There is already a server named 'guest'.",
    )
  })

  it('can be added and removed while it lives', async () => {
    await using setup = await openAgent(hello)
    const session = setup.agent.createSession({ cwd: setup.folder })
    session.addSessionMcpServer(slowServer('guest', 0))
    expect(() => session.addSessionMcpServer(slowServer('guest', 0))).toThrow(
      "There is already a server named 'guest'.",
    )
    expect([...session.getSessionMcpClients().keys()]).toEqual(['guest'])
    await promptText(session, 'hi')
    await session.removeSessionMcpServer('guest')
    await promptText(session, 'hi')
    await expect(session.removeSessionMcpServer('guest')).rejects.toMatchObject({
      code: 'mcp.unknown_server',
    })
    expect(setup.model.requests.map(offered)).toEqual([['guest__guest_tool'], []])
  })
})

describe('a session', () => {
  it('is not reopened by an agent that has ended', async () => {
    using history = openState({})
    await using setup = await openAgent(hello, { history })
    const session = setup.agent.createSession({ cwd: setup.folder })
    await promptText(session, 'first')
    const reopened = setup.agent.reopenSession(session.id, { cwd: setup.folder })
    await Promise.all([
      setup.agent[Symbol.asyncDispose](),
      expect(reopened).rejects.toMatchObject({ code: 'session.closed' }),
    ])
  })

  it('ends its prompt as cancelled when it is closed, and accepts no other', async () => {
    await using setup = await openAgent([{ text: 'one moment', hang: 'after_text' }])
    const session = setup.agent.createSession({ cwd: setup.folder })
    const events: TurnEvent[] = []
    for await (const event of session.prompt([{ type: 'text', text: 'go' }])) {
      events.push(event)
      if (event.type === 'text') void session[Symbol.asyncDispose]()
    }
    expect(lastOf(events)).toMatchObject({ type: 'turn_end', stopReason: 'cancelled' })
    await session[Symbol.asyncDispose]()
    await expect(promptText(session, 'again')).rejects.toMatchObject({ code: 'session.closed' })
    expect(() => session.addSessionMcpServer(slowServer('late', 0))).toThrow('closed')
  })
})

describe('the commands of a session', () => {
  it('are answered while servers connect, if they need none', async () => {
    await using setup = await openAgent(hello, { connectWaitMs: 600_000 })
    const session = setup.agent.createSession({
      cwd: setup.folder,
      sessionMcpServers: [slowServer('late', 600_000)],
    })
    expect(textOf(await promptText(session, '/mcp'))).toContain('**late**: still connecting')
  })

  it('show the policy that their session began with', async () => {
    await using setup = await openAgent(hello, { trustedTools: ['first'] })
    const session = setup.agent.createSession({ cwd: setup.folder })
    setup.agent.setApproval({ mode: 'auto', trustedTools: ['second'], reads: 'ask' })
    const shown = textOf(await promptText(session, '/permissions'))
    expect(shown).toContain('Trusted: `first`.')
    expect(shown).toContain("Reading inside the session's directories is allowed.")
  })

  it('name the session, also if they are cancelled while servers connect', async () => {
    await using setup = await openAgent(hello, {
      connectWaitMs: 600_000,
      commands: [{ name: 'review', description: 'Reviews', prompt: 'Review $ARGUMENTS' }],
    })
    const session = setup.agent.createSession({
      cwd: setup.folder,
      sessionMcpServers: [slowServer('late', 600_000)],
    })
    const running = promptText(session, '/review it')
    session.cancel()
    expect(lastOf(await running)).toMatchObject({ stopReason: 'cancelled' })
    expect(session.title).toBe('/review it')
    expect(setup.model.requests).toEqual([])
  })

  it('come from the prompts of servers', async () => {
    await using setup = await openAgent(hello)
    const session = setup.agent.createSession({ cwd: setup.folder, sessionMcpServers: [everythingServer()] })
    await session.serversSettled
    const command = session.commands.find(({ name }) => name === 'everything:args-prompt')
    expect(command).toMatchObject({ hint: 'city [state]' })
    await promptText(session, '/everything:args-prompt Lyon')
    expect(setup.model.requests[0]?.messages.at(-1)?.parts).toMatchObject([
      { type: 'text', text: expect.stringContaining('Lyon') },
    ])
    expect(textOf(await promptText(session, '/everything:args-prompt'))).toBe(
      'This command needs: city. Usage: `/everything:args-prompt city [state]`',
    )
    await promptText(session, '/mcp disable everything')
    expect(session.commands.map(({ name }) => name)).not.toContain('everything:args-prompt')
  })
})

describe('the requests of a server to its session', () => {
  it('may use the model, after permission', async () => {
    const call = {
      toolCalls: [
        { name: 'everything__trigger-sampling-request', args: { prompt: 'a word', maxTokens: 20 } },
      ],
    }
    await using setup = await openAgent([call, { text: 'sampled words' }, { text: 'done' }], {
      mode: 'always-ask',
    })
    const titles: string[] = []
    const session = setup.agent.createSession({
      cwd: setup.folder,
      sessionMcpServers: [everythingServer()],
      person: {
        ask: async ({ call: view }: ApprovalQuestion) => {
          titles.push(view.title)
          return { verdict: 'allow', scope: 'once' }
        },
      },
    })
    const events = await promptText(session, 'let it sample')
    expect(textOf(events)).toBe('done')
    expect(setup.model.requests[1]?.body).toMatchObject({ max_tokens: 20 })
    // The tool call in the editor ends like any other.
    const card = events.findLast((event) => event.type === 'tool_call')
    expect(card).toMatchObject({ call: { title: 'everything: wants to use your model' } })
    const id = card?.type === 'tool_call' ? card.call.id : ''
    expect(
      events.flatMap((event) =>
        event.type === 'tool_call_update' && event.id === id ? [event.update.status] : [],
      ),
    ).toEqual(['in_progress', 'completed'])
    expect(titles).toEqual([
      'everything: trigger-sampling-request a word',
      'everything: wants to use your model',
    ])
    expect(JSON.stringify(setup.model.requests[2]?.messages.at(-1))).toContain('sampled words')
  })

  it('may not use the model after a refusal, which the history records', async () => {
    const call = {
      toolCalls: [
        { name: 'everything__trigger-sampling-request', args: { prompt: 'a word', maxTokens: 20 } },
      ],
    }
    using history = openState()
    await using setup = await openAgent([call, { text: 'done' }], { mode: 'always-ask', history })
    const session = setup.agent.createSession({
      cwd: setup.folder,
      sessionMcpServers: [everythingServer()],
      person: {
        ask: async ({ ref }: ApprovalQuestion) => ({
          verdict: ref.tool === 'sampling' ? 'deny' : 'allow',
          scope: 'once',
        }),
      },
    })
    expect(textOf(await promptText(session, 'let it sample'))).toBe('done')
    expect(history.calls.list({ tool: 'sampling', limit: 9 })).toMatchObject([
      {
        status: 'denied',
        decision: 'deny',
        rule: 'person:deny-once',
        error: 'The person did not allow the server to use the model.',
      },
    ])
  })

  it('may ask for the directories as roots', async () => {
    const call = { toolCalls: [{ name: 'everything__get-roots-list', args: {} }] }
    await using setup = await openAgent([call, { text: 'done' }])
    const other = join(setup.folder, 'other')
    const session = setup.agent.createSession({
      cwd: setup.folder,
      additionalDirectories: [other],
      sessionMcpServers: [everythingServer()],
    })
    await promptText(session, 'which roots?')
    const result = JSON.stringify(setup.model.requests[1]?.messages.at(-1))
    expect(result).toContain(`file://${setup.folder}`)
    expect(result).toContain(`file://${other}`)
  })
})
