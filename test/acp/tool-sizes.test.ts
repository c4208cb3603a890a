import { join } from 'node:path'
import { openState } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { openSessionLab } from '../support/acp-sessions.ts'
import { entryOf, openAgentLab, openSession } from '../support/agent-lab.ts'
import { programPath } from '../support/program-path.ts'

const program = programPath('fixtures/editor-servers/server.mjs')
const mcpServers = ['git', 'memory'].map((name) => ({
  name,
  command: process.execPath,
  args: [program, name],
  env: [],
}))

/** The first estimate is four times too low. */
const script = () => ({ text: 'ok', usage: { inputTokens: 1_000_000, outputTokens: 1 } })

async function openSizes(schemas: 'auto' | 'deferred', servers: readonly object[] = mcpServers) {
  await using opened = new AsyncDisposableStack()
  const agent = { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemas } } as const
  const lab = opened.use(await openSessionLab(script, { agent }))
  const editor = opened.use(await lab.open())
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: servers })
  const all = opened.move()
  return {
    lab,
    async ask(prompt: string) {
      const before = editor.text(sessionId).length
      await editor.prompt(sessionId, prompt)
      return editor.text(sessionId).slice(before)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** The numbers of a size such as `1,100 tokens, 12,000 saved`. */
function numbersIn(text: string): readonly number[] {
  const size = /([\d,]+) tokens?(?:, ([\d,]+) saved)?/.exec(text)
  return (size?.slice(1) ?? []).flatMap((digits) =>
    digits === undefined ? [] : Number(digits.replaceAll(',', '')),
  )
}

const lineWith = (text: string, start: string) =>
  text.split('\n').find((line) => line.startsWith(start)) ?? ''

test('what waits is said once, and /tools and /mcp show what each tool sends and saves', async () => {
  await using session = await openSizes('deferred')
  const { ask, lab } = session
  const first = await ask('hello')
  expect(
    first.match(
      /The schemas of 23 tools wait until they are needed\. The tools of all servers take [\d,]+ tokens, [\d,]+ saved\./g,
    ),
  ).toHaveLength(1)
  expect(await ask('go on')).toBe('ok')
  const tools = await ask('/tools git')
  const [sent = 0, saved = 0] = numbersIn(lineWith(tools, '| `git_log` |'))
  expect(saved).toBeGreaterThan(sent)
  const [allSent = 0, allSaved = 0] = numbersIn(lineWith(tools, '**git** (14; '))
  expect(allSent).toBeGreaterThan(sent)
  expect(allSaved).toBeGreaterThan(saved)
  const mcp = await ask('/mcp')
  expect(numbersIn(lineWith(mcp, '- **git**: connected, 14 tools ('))).toEqual([allSent, allSaved])
  expect(mcp).toContain('- The schemas of 23 tools wait until they are needed. ')
  const sizesIn = () => lab.history.presence.servers().map(({ name, sizes = [] }) => [name, sizes.length])
  await expect.poll(sizesIn).toEqual([
    ['git', 14],
    ['memory', 9],
  ])
})

test('definitions that are all sent save nothing, and nothing is said about them', async () => {
  await using session = await openSizes('auto')
  const { ask } = session
  const [before = 0] = numbersIn(lineWith(await ask('/tools git'), '**git** (14; '))
  expect(await ask('hello')).toBe('ok')
  expect(before).toBeGreaterThan(1_000)
  expect(numbersIn(lineWith(await ask('/tools git'), '**git** (14; '))).toEqual([before])
})

test('sizes follow what the vendor counts', async () => {
  await using session = await openSizes('auto')
  const { ask } = session
  const sizeOfLog = async () => numbersIn(lineWith(await ask('/tools git'), '| `git_log` |'))[0] ?? 0
  await ask('hello')
  const estimate = await sizeOfLog()
  await ask('go on')
  expect(await sizeOfLog()).toBe(estimate * 4)
})

test('what is said about schemas does not repeat the problems of servers, nor the other way round', async () => {
  const broken = { name: 'broken', command: process.execPath, args: ['-e', 'process.exit(3)'], env: [] }
  await using session = await openSizes('deferred', [...mcpServers, broken])
  const text = `${await session.ask('hello')}${await session.ask('go on')}`
  expect(text.match(/"broken" is not available/g)).toHaveLength(1)
  expect(text.match(/schemas of 23 tools wait/g)).toHaveLength(1)
})

test("the agent's own servers have sizes as well, but not those of a session's server of the same name", async () => {
  await using lab = await openAgentLab(() => ({ text: 'ok' }))
  const description = `Shows it. ${'It is shown with great care. '.repeat(20)}`
  for (const server of ['work', 'home', 'other'])
    await lab.offer(server, [`do_${server}`, { name: `see_${server}`, description }])
  const mcpServers = { work: entryOf(lab, 'work', { schemas: 'deferred' }), home: entryOf(lab, 'home') }
  await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers })
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab, [{ name: 'home', ...lab.command('other'), env: [] }])
  await editor.prompt(sessionId, 'hello')
  using state = openState({ stateDir: join(lab.path, 'state') })
  const sizes = () =>
    state.presence
      .servers()
      .map(({ name, owner, sizes: sent }) => [name, owner, sent?.map(({ tool }) => tool)])
  await expect.poll(sizes).toEqual([
    ['home', 'agent', undefined],
    ['work', 'agent', ['do_work', 'see_work']],
    ['home', 'session', ['do_other', 'see_other']],
  ])
  const work = state.presence.servers().find(({ name }) => name === 'work')
  expect(work?.sizes?.[1]?.saved).toBeGreaterThan(50)
})
