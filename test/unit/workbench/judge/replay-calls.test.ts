import { parseRule } from '../../../../packages/agent-api/src/policy/decision-rule.ts'
import { expect, it } from 'vitest'
import { createJudge, type JudgedTool } from '../../../../packages/workbench/src/judge/judge.ts'
import { replayCalls } from '../../../../packages/workbench/src/judge/replay-calls.ts'
import { agentFileSchema } from '../../../../packages/agent-api/src/config/agent-file-schema.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'

const since = '2000-01-01T00:00:00.000Z'
const { signal } = new AbortController()
const write: JudgedTool = {
  ref: { server: 'work', tool: 'write' },
  server: { name: 'work', origin: 'session', enabled: true },
  definition: { name: 'write', description: 'Writes', inputSchema: {} },
}
const judge = (file: object) => createJudge(agentFileSchema.parse(file), [])

type Past = readonly [
  id: string,
  server: string | null,
  tool: string,
  decision: string,
  rule: string,
  args?: object,
]

async function historyOf(calls: readonly Past[], agent = 'default') {
  const history = openState()
  const recorder = history.calls.recorder({ agent })
  for (const [id, server, tool, decision, rule, args = {}] of calls) {
    const record = await recorder.start({ id, server, tool, arguments: args })
    record.decided(decision, parseRule(rule))
    record.ended(decision === 'allow' ? 'success' : 'denied', { isError: false, content: [] })
  }
  return history
}

const calls: readonly Past[] = [
  ['c1', 'work', 'write', 'allow', 'person:allow-once'],
  ['c2', 'work', 'write', 'deny', 'person:deny-once'],
  ['c3', 'work', 'write', 'allow', 'grant:allow'],
  ['c4', null, 'write_file', 'allow', 'person:allow-once', { path: '/etc/passwd' }],
  ['c5', null, 'read_file', 'allow', 'reads', { path: 'x' }],
  ['c6', 'gone', 'tool', 'allow', 'mode:auto'],
  ['c7', 'work', 'write', 'allow', 'person:console'],
  ['c8', null, 'my_tool', 'allow', 'mode:auto'],
  ['c9', null, 'undo', 'allow', 'restore:unchanged'],
]

it('counts what happened and what the rules say now, and lists what differs', async () => {
  using history = await historyOf(calls)
  const replay = await replayCalls({
    calls: history.calls,
    sessions: history.sessions,
    agent: 'default',
    since,
    tools: [write],
    now: judge({}),
    signal,
  })
  expect(replay).toMatchObject({
    calls: 7,
    isPart: false,
    before: { allow: 4, ask: 3, deny: 0, off: 0 },
    now: { allow: 2, ask: 5, deny: 0, off: 0 },
    others: 0,
  })
  expect(replay).not.toHaveProperty('after')
  expect(
    replay.differences.map(({ server, tool, from, to, calls: count }) => [
      server,
      tool,
      from.verdict,
      to.verdict,
      count,
    ]),
  ).toEqual([
    ['gone', 'tool', 'allow', 'ask', 1],
    ['work', 'write', 'allow', 'ask', 1],
  ])
})

it('compares the rules now with those after an edit, by the arguments of built-in tools', async () => {
  using history = await historyOf(calls)
  const edited = judge({ approval: { mode: 'auto' }, sessionServers: { approval: 'deny' } })
  const replay = await replayCalls({
    calls: history.calls,
    sessions: history.sessions,
    agent: 'default',
    since,
    tools: [write],
    now: judge({}),
    after: edited,
    signal,
  })
  expect(replay.after).toEqual({ allow: 3, ask: 0, deny: 4, off: 0 })
  expect(replay.differences).toMatchObject([
    {
      server: 'work',
      tool: 'write',
      from: { verdict: 'ask' },
      to: { verdict: 'deny', rule: parseRule('tool:deny') },
      calls: 3,
    },
    { server: 'gone', tool: 'tool', calls: 1 },
    {
      server: null,
      tool: 'write_file',
      to: { verdict: 'allow' },
      examples: [{ id: 'c4', about: '/etc/passwd' }],
    },
  ])
  // The newest first.
  expect(replay.differences[0]?.examples.map(({ id }) => id)).toEqual(['c3', 'c2', 'c1'])
})

it('leaves out other agents, and stops when no one waits', async () => {
  using history = await historyOf(calls, 'another')
  const options = {
    calls: history.calls,
    sessions: history.sessions,
    agent: 'default',
    since,
    tools: [],
    now: judge({}),
  }
  expect(await replayCalls({ ...options, signal })).toMatchObject({ calls: 0, differences: [] })
  const aborted = replayCalls({ ...options, agent: 'another', signal: AbortSignal.abort(new Error('gone')) })
  await expect(aborted).rejects.toThrow('gone')
})

it('looks only at a part if there are very many calls, and says so', async () => {
  const one = {
    id: 'c',
    sessionId: null,
    server: 'work',
    tool: 'write',
    decision: 'allow',
    rule: parseRule('mode:auto'),
    startedAt: since,
  }
  let steps = 0
  using history = openState()
  async function* decided() {
    for (; steps < 1_000; steps++) yield { calls: [one], rows: 2_000, bytes: 0 }
  }
  const replay = await replayCalls({
    calls: { ...history.calls, decided },
    sessions: history.sessions,
    agent: 'default',
    since,
    tools: [write],
    now: judge({}),
    signal,
  })
  expect(replay).toMatchObject({ calls: 50, isPart: true, since })
  expect(steps).toBe(50)
})
