import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CallQuery } from '../../../packages/agent-api/src/state/calls/call.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { median } from '../measure.ts'
import { addCalls } from './add-calls.ts'
import type { Curve, Point } from './curve.ts'
import { ownCostOf } from './processor-time.ts'

const limit = 50
const rounds = 15
/** One takes less than a millisecond. */
const readsPerRound = 20

/** A page begins at its place in the table or in an index. */
const pages = (middle: number): Readonly<Record<string, Omit<CallQuery, 'limit'>>> => ({
  'the first page': {},
  'a page in the middle': { before: middle },
  'the same, of a server': { server: 'server-3', before: middle },
  'the same, of a frequent status': { status: 'success', before: middle },
  'the same, with a word of all calls': { text: 'project', before: middle },
})

/** All matches are looked at before any is shown. */
const searches: Readonly<Record<string, Omit<CallQuery, 'limit'>>> = {
  'two filters that fit no call': { server: 'server-3', status: 'denied' },
  'the beginning of a word of all calls': { text: 'serv' },
}

type Costs = ReadonlyMap<string, readonly Point[]>

/** Pages of the history while it grows: one database, to which calls are added. */
export async function measureHistory(callsMax: number): Promise<readonly Curve[]> {
  await using folder = await openTempDir('ostler-bench-')
  openState({ stateDir: folder.path })[Symbol.dispose]()
  let [read, searched]: [Costs, Costs] = [new Map(), new Map()]
  let from = 0
  for (const calls of [10_000, 100_000, 1_000_000, 10_000_000].filter((count) => count <= callsMax)) {
    const started = performance.now()
    addCalls(folder.path, from, calls)
    from = calls
    const bytes = statSync(join(folder.path, 'ostler.db')).size
    const seconds = (performance.now() - started) / 1_000
    console.log(`  ${calls} calls: ${(bytes / 1024 ** 2).toFixed(0)} MiB, made in ${seconds.toFixed(0)} s`)
    using state = openState({ stateDir: folder.path })
    const list = (query: Omit<CallQuery, 'limit'>) => () => state.calls.list({ ...query, limit })
    const sessions = () => state.sessions.list({ agent: 'default', limit })
    const reads = { ...mapValues(pages(calls / 2), list), 'the newest sessions': sessions }
    read = await addPoints(read, calls, reads)
    searched = await addPoints(searched, calls, mapValues(searches, list))
  }
  const axes = { x: 'calls in the history', y: 'ms of processor time' }
  return [
    { id: 'history', title: 'Pages of a long history', ...axes, slopeMax: 0.3, series: toSeries(read) },
    {
      id: 'searches',
      title: 'Searches that look at every match',
      ...axes,
      slopeMax: 1.1,
      series: toSeries(searched),
    },
  ]
}

async function addPoints(
  costs: Costs,
  x: number,
  reads: Readonly<Record<string, () => unknown>>,
): Promise<Costs> {
  const added = new Map(costs)
  for (const [name, read] of Object.entries(reads)) {
    const times: number[] = []
    const readOften = () => {
      for (let index = 0; index < readsPerRound; index++) read()
    }
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) times.push((await ownCostOf(readOften)) / readsPerRound)
    added.set(name, [...(added.get(name) ?? []), { x, y: median(times.slice(1)) }])
  }
  return added
}

function toSeries(costs: Costs): Curve['series'] {
  return [...costs].map(([name, points]) => ({ name, points }))
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
}
