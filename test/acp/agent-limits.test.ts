import { expect, it } from 'vitest'
import { selectPermission } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import type { ModelRequest } from '../support/loopback-model/index.ts'
import { until } from '../support/processes.ts'

const calls = (name: string, ...args: object[]) => ({ toolCalls: args.map((each) => ({ name, args: each })) })
const auto = { approval: { mode: 'auto' } }

async function prompt(lab: AgentLab, agentFile: object, options: Parameters<AgentLab['open']>[0] = {}) {
  await lab.writeAgentFile(agentFile)
  await using editor = await lab.open(options)
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const response = await editor.prompt(sessionId, 'go')
  return { response, results: lab.model.requests.at(-1)?.messages.at(-1)?.parts ?? [] }
}

/** The highest number of concurrent calls in the server's log. */
function mostAtOnce(log: readonly string[]): number {
  let running = 0
  return Math.max(0, ...log.map((line) => (running += line.startsWith('start') ? 1 : -1)))
}

it('never runs more of one tool than maxInstances', async () => {
  await using lab = await openAgentLab([
    calls('work__slow', ...Array.from({ length: 6 }, () => ({ ms: 60 }))),
    { text: 'done' },
  ])
  await lab.offer('work', ['slow'])
  const mcpServers = {
    work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: { maxInstances: 2 }, ...lab.command('work') },
  }
  const { results } = await prompt(lab, { ...auto, mcpServers })
  expect(results).toHaveLength(6)
  expect(mostAtOnce(await lab.log('work'))).toBe(2)
})

it('never runs more of all tools than maxConcurrent', async () => {
  const both = ['one', 'two'].flatMap(
    (tool) => calls(`work__${tool}`, { ms: 60 }, { ms: 60 }, { ms: 60 }).toolCalls,
  )
  await using lab = await openAgentLab([{ toolCalls: both }, { text: 'done' }])
  await lab.offer('work', ['one', 'two'])
  const mcpServers = {
    work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') },
  }
  await prompt(lab, { ...auto, mcpServers, toolbox: { maxConcurrent: 3 } })
  expect(mostAtOnce(await lab.log('work'))).toBe(3)
})

it('ends a call that takes too long, tells the server, and lets the model continue', async () => {
  await using lab = await openAgentLab([calls('work__slow', { ms: 60_000 }), { text: 'too bad' }])
  await lab.offer('work', ['slow'])
  const mcpServers = {
    work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: { timeout: '200ms' }, ...lab.command('work') },
  }
  const { response, results } = await prompt(lab, { ...auto, mcpServers })
  expect(response).toEqual({ stopReason: 'end_turn' })
  expect(results).toMatchObject([
    { isError: true, text: expect.stringMatching(/MCP error: .*timed out after 0\.2 s/) },
  ])
  await until('the server to hear of it', async () => (await lab.log('work')).includes('cancelled slow'))
})

it('lets a call continue while it reports progress', async () => {
  await using lab = await openAgentLab([calls('work__slow', { ms: 1_500, progress: true }), { text: 'fine' }])
  await lab.offer('work', ['slow'])
  const mcpServers = {
    work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: { timeout: '1s' }, ...lab.command('work') },
  }
  const { results } = await prompt(lab, { ...auto, mcpServers })
  expect(results).toMatchObject([{ text: 'slow is done' }])
})

it('holds no slot for a call that waits for a person', async () => {
  const script = [
    { toolCalls: [...calls('work__asked', {}).toolCalls, ...calls('work__free', {}).toolCalls] },
    { text: 'done' },
  ]
  await using lab = await openAgentLab(script)
  await lab.offer('work', ['asked', 'free'])
  const mcpServers = {
    work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') },
  }
  const toolbox = { maxConcurrent: 1, tools: [{ name: 'free', approval: 'allow' }] }
  await prompt(
    lab,
    { mcpServers, toolbox },
    {
      // The person answers only once the other call has ended, which is impossible if this call holds a slot.
      async onPermission(request) {
        await until('the other call', async () => (await lab.log('work')).includes('end free'))
        return selectPermission('allow_once')(request)
      },
    },
  )
  expect(await lab.log('work')).toEqual(['start free', 'end free', 'start asked', 'end asked'])
})

it('delays calls above the rate of their server, and no others', async () => {
  const script = [calls('work__quick', {}, {}), calls('other__quick', {}), { text: 'done' }]
  await using lab = await openAgentLab(script)
  await lab.offer('work', ['quick'])
  await lab.offer('other', ['quick'])
  const entry = (server: string) => ({
    type: 'stdio',
    mode: 'dynamic',
    defaultToolConfig: {},
    ...lab.command(server),
  })
  const work = { ...entry('work'), rateLimit: { calls: 1, per: '1h' } }
  await lab.writeAgentFile({ ...auto, mcpServers: { work, other: entry('other') } })
  await using editor = await lab.open()
  await editor.initialize()
  const [limited, free] = [
    await editor.newSession({ cwd: lab.path }),
    await editor.newSession({ cwd: lab.path }),
  ]
  const prompt = editor.prompt(limited.sessionId, 'go')
  await until('the first call', async () => (await lab.log('work')).includes('end quick'))
  // A whole turn with another server's call takes longer than a call that is not held back.
  expect(await editor.prompt(free.sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
  expect(await lab.log('other')).toEqual(['start quick', 'end quick'])
  editor.notify('session/cancel', { sessionId: limited.sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  expect(await lab.log('work')).toEqual(['start quick', 'end quick'])
})

it('limits the rate of each of the editor’s servers by sessionServers.rateLimit', async () => {
  const [one, two] = ['one', 'two'].map(
    (server) => calls(`${server}__quick`, { ms: 60 }, { ms: 60 }, { ms: 60 }).toolCalls,
  )
  await using lab = await openAgentLab([{ toolCalls: [...one!, ...two!] }])
  await lab.writeAgentFile({ ...auto, sessionServers: { rateLimit: { calls: 2, per: '1d' } } })
  for (const server of ['one', 'two']) await lab.offer(server, ['quick'])
  await using editor = await lab.open()
  await editor.initialize()
  const mcpServers = ['one', 'two'].map((name) => ({ name, env: [], ...lab.command(name) }))
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  const prompt = editor.prompt(sessionId, 'go')
  // Without a limit, all three start at once. So after two have ended, the third would have started.
  for (const server of ['one', 'two'])
    await until(
      'two calls',
      async () => (await lab.log(server)).filter((line) => line.startsWith('end')).length >= 2,
    )
  editor.notify('session/cancel', { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  // A call that has ended may still be cancelled, if its result is on the way.
  for (const server of ['one', 'two'])
    expect((await lab.log(server)).filter((line) => !line.startsWith('cancelled')).toSorted()).toEqual([
      'end quick',
      'end quick',
      'start quick',
      'start quick',
    ])
})

it('counts the calls of the editor’s servers per session, by sessionServers.defaultToolConfig', async () => {
  const script = ({ messages }: ModelRequest) => {
    if (messages.at(-1)?.role === 'tool') return { text: 'done' }
    return JSON.stringify(messages.at(-1)).includes('long')
      ? calls('mine__slow', { ms: 600_000 })
      : calls('mine__slow', { ms: 30 }, { ms: 30 }, { ms: 30 })
  }
  await using lab = await openAgentLab(script)
  await lab.writeAgentFile({
    ...auto,
    sessionServers: { defaultToolConfig: { maxInstances: 1, timeout: '10m' } },
  })
  await using editor = await lab.open()
  await editor.initialize()
  const open = async (list: string) => {
    await lab.offer(list, ['slow'])
    return (
      await editor.newSession({
        cwd: lab.path,
        mcpServers: [{ name: 'mine', env: [], ...lab.command(list) }],
      })
    ).sessionId
  }
  const [one, other] = [await open('one'), await open('other')]
  const long = editor.prompt(one, 'long')
  await until('the long call', async () => (await lab.log('one')).includes('start slow'))
  expect(await editor.prompt(other, 'short')).toEqual({ stopReason: 'end_turn' })
  expect(mostAtOnce(await lab.log('other'))).toBe(1)
  editor.notify('session/cancel', { sessionId: one })
  expect(await long).toEqual({ stopReason: 'cancelled' })
})

it('runs a local tool of a module, and refuses one that is not in the toolbox', async () => {
  await using lab = await openAgentLab([calls('shout', { text: 'hey' }), { text: 'done' }])
  const { writeFile } = await import('node:fs/promises')
  const { join } = await import('node:path')
  await writeFile(
    join(lab.path, 'shout.mjs'),
    `export const shout = { ref: { server: null, tool: 'shout' }, description: 'Shouts', inputSchema: { type: 'object' }, kind: 'other',
      execute: async ({ text }) => ({ isError: false, content: [{ type: 'text', text: text.toUpperCase() }] }) }`,
  )
  const { results } = await prompt(lab, {
    ...auto,
    localTools: ['./shout.mjs'],
    toolbox: { tools: [{ name: 'shout' }] },
  })
  expect(results).toMatchObject([{ text: 'HEY' }])

  await lab.writeAgentFile({ localTools: ['./shout.mjs'] })
  await using editor = await lab.start()
  await editor.initialize()
  expect(await editor.exit).toMatchObject({ code: 1 })
  expect(editor.stderr()).toContain("Local tool 'shout' is not configured in the toolbox.")
})
