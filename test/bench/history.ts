import type { CallQuery } from '../../packages/agent-api/src/state/calls/call.ts'
import type { State } from '../../packages/agent-api/src/state/state.ts'
import { openState } from '../../packages/agent-api/src/state/open-state.ts'
import { sweep } from '../../packages/agent-api/src/state/retention.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { createPast } from './create-past.ts'
import { median } from './measure.ts'

/**
 * Measures a large history: `tsx test/bench/history.ts [calls]`, one million by default. A missed bar is marked, and sets the exit code.
 * Each figure is the worst of a few runs, the first of them cold.
 */
const callCount = Number(process.argv[2] ?? 1_000_000)
const pageLength = 50
const rounds = 7
const pageBarMs = 50
/** A prefix that is no whole word but occurs in nearly every call, so that all matches are counted before any is shown. */
const beginning = 'the beginning of a common word'
const beginningBarMs = 150
const holdBarMs = 50
const { days, callsPerSession, timeOf, word, wordOf, build } = createPast(callCount)

await using folder = await openTempDir('ostler-bench-')
console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, ${callCount.toLocaleString('en')} calls over ${days} days\n`,
)
const built = build(folder.path)
console.log(`built in ${(built.ms / 1_000).toFixed(0)} s, ${(built.bytes / 1024 ** 2).toFixed(0)} MiB\n`)
{
  using history = openState({ stateDir: folder.path })
  benchPages(history)
  await benchStatistics(history)
  await benchWrites(history)
  await benchSweep(history)
}

function benchPages(history: State): void {
  const middle = Math.floor(callCount / 2)
  const common = word()
  const rare = wordOf(19_900)
  const queries: readonly (readonly [string, Omit<CallQuery, 'limit'>])[] = [
    ['the first page', {}],
    ['a page in the middle', { before: middle }],
    ['the last page', { before: pageLength }],
    ['a server with many calls', { server: null }],
    ['a server with few calls', { server: 'server-19' }],
    ['a tool', { tool: 'tool_3' }],
    ['a status with many calls', { status: 'success', before: middle }],
    ['a status with few calls', { status: 'interrupted' }],
    ['a session', { sessionId: `session-${Math.floor(middle / callsPerSession)}` }],
    ['a session of long ago, before a call', { sessionId: 'session-5', before: middle }],
    ['an agent, in the middle', { agent: 'default', before: middle }],
    ['an agent, the last page', { agent: 'default', before: pageLength }],
    ['a session and a turn', { sessionId: 'session-5', turn: 2 }],
    ['a server, a tool', { server: 'server-2', tool: 'tool_7' }],
    ['a server, a tool, a status', { server: 'server-12', tool: 'tool_7', status: 'cancelled' }],
    ['a server, a tool that is nowhere', { server: 'server-2', tool: 'tool_99' }],
    ['tools without a server, denied', { status: 'denied', server: null, before: middle }],
    ['open calls', { status: 'running' }],
    ['the first ten days', { until: timeOf(callCount / 9) }],
    [
      'an hour long ago',
      { since: timeOf(callCount / 3), until: timeOf(callCount / 3 + callCount / days / 24) },
    ],
    [
      'ten days, a server, a status',
      { since: timeOf(callCount / 3), until: timeOf(callCount / 2), server: 'server-17', status: 'error' },
    ],
    ['a time without calls', { since: '2030-01-01' }],
    ['a common word', { text: common }],
    ['a common word, in the middle', { text: common, before: middle }],
    ['a rare word', { text: rare }],
    ['a word that is nowhere', { text: 'nowhere' }],
    [beginning, { text: 'serv' }],
    ['the beginning of a rare word', { text: rare.slice(0, -1) }],
    ['two words', { text: `project ${common}` }],
    ['a word, a server, a status', { text: common, server: 'server-17', status: 'denied' }],
    [
      'a word, ten days, a tool',
      { text: common, tool: 'tool_1', since: timeOf(callCount / 3), until: timeOf(callCount / 2) },
    ],
    ['a word in a session', { text: 'project', sessionId: 'session-5' }],
    ['what changed last', { changedAfter: history.calls.lastChange() - pageLength }],
  ]
  for (const [what, query] of queries) {
    let found = 0
    const times = Array.from({ length: rounds }, () =>
      timed(() => (found = history.calls.list({ ...query, limit: pageLength }).length)),
    )
    report(`calls: ${what}`, times, what === beginning ? beginningBarMs : pageBarMs, `${found} calls`)
  }
  const id = `call_${middle}`
  report(
    'one call, whole',
    measured(() => history.calls.find(id)),
    pageBarMs,
  )
  report(
    'what there is to filter by',
    measured(() => history.calls.tools()),
    pageBarMs,
  )
  report(
    'sessions: the first page',
    measured(() => history.sessions.list({ limit: pageLength })),
    pageBarMs,
  )
  const after = { updatedAt: timeOf(middle), id: `session-${Math.floor(middle / callsPerSession)}` }
  report(
    'sessions: a page in the middle',
    measured(() => history.sessions.list({ agent: 'default', after, limit: pageLength })),
    pageBarMs,
  )
  report(
    'sessions: of a directory',
    measured(() => history.sessions.list({ cwd: '/projects/project-7', after, limit: pageLength })),
    pageBarMs,
  )
}

async function benchStatistics(history: State): Promise<void> {
  let days = 0
  const held = await longestHold(async () => {
    days = (await history.calls.statistics({})).length
  })
  report('statistics of everything', [held.takenMs], Infinity, `${days} rows`)
  report('  the longest the process was held', [held.holdMs], holdBarMs)
}

async function benchWrites(history: State): Promise<void> {
  const recorder = history.calls.recorder({ agent: 'default', sessionId: 'session-5', turn: 9 })
  const count = 2_000
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const started = performance.now()
    const record = await recorder.start({
      id: `written_${index}`,
      server: 'server-3',
      tool: 'tool_1',
      arguments: { path: word() },
    })
    record.decided('allow', { by: 'mode', how: 'auto' })
    record.running()
    record.ended('success', { isError: false, content: [{ type: 'text', text: `${word()} ${word()}` }] })
    times.push(performance.now() - started)
  }
  console.log(
    `\n${'a call, from its row to its end'.padEnd(44)}${median(times).toFixed(3).padStart(9)} ms, the longest ${Math.max(...times).toFixed(1)} ms`,
  )
  const log = history.sessions.log(history.sessions.find('session-5')!, { isStored: true })
  log.beginTurn([{ type: 'text', text: 'hello' }])
  const chunks = 20_000
  const taken = timed(() => {
    for (let index = 0; index < chunks; index++)
      log.event({ type: 'text', messageId: 'msg', text: `${index} ` })
  })
  console.log(`${'a streamed chunk'.padEnd(44)}${(taken / chunks).toFixed(3).padStart(9)} ms`)
}

/** Measures a few seconds of a sweep. A complete sweep has no time limit. */
async function benchSweep(history: State): Promise<void> {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 5_000)
  const before = history.calls.list({ after: 0, limit: 1 })[0]?.seq ?? 0
  const held = await longestHold(() =>
    sweep(
      {
        journal: history.journal,
        agent: 'default',
        retention: { keepDays: 36_500, maxBytes: 1 },
        isInMemory: () => false,
        isOpen: () => false,
      },
      stop.signal,
    ),
  )
  const after = history.calls.list({ after: 0, limit: 1 })[0]?.seq ?? callCount
  report('clearing away: the longest step', [held.holdMs], holdBarMs, `${after - before} calls gone in 5 s`)
}

async function longestHold(run: () => Promise<void>): Promise<{ takenMs: number; holdMs: number }> {
  let last = performance.now()
  let holdMs = 0
  const tick = () => {
    const now = performance.now()
    holdMs = Math.max(holdMs, now - last)
    last = now
  }
  const timer = setInterval(tick, 1)
  const started = performance.now()
  await run()
  const takenMs = performance.now() - started
  tick()
  clearInterval(timer)
  return { takenMs, holdMs }
}

function measured(run: () => unknown): readonly number[] {
  return Array.from({ length: rounds }, () => timed(run))
}

function timed(run: () => unknown): number {
  const started = performance.now()
  run()
  return performance.now() - started
}

function report(what: string, times: readonly number[], barMs: number, note = ''): void {
  const worst = Math.max(...times)
  const isMet = worst < barMs
  if (!isMet) process.exitCode = 1
  const bar = barMs === Infinity ? '' : `(bar ${barMs})`
  console.log(
    `${what.padEnd(44)}${worst.toFixed(1).padStart(9)} ms  ${bar.padEnd(9)} ${isMet ? '' : 'NOT MET  '}${note}`,
  )
}
