import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf } from '../../support/processes.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startOstler } from '../agents.ts'
import { startChunkModel } from '../start-chunk-model.ts'
import { probe, type Work } from './read-probe.ts'

/** By then, nothing is left to do of what the prompts began. */
const settleMs = 10_000
const watchedMs = 20_000
const looks = 3
const lookEveryMs = 150

/** Threads of Node and V8: the probe counts what wakes the first, and the others work for it or collect garbage. */
const ownThreads = /^Name:\t(node-MainThr|node-V8Worker|libuv-worker|DelayedTask|SignalInspec)/

export interface IdleCounts extends Pick<Work, 'timersMs' | 'heapBytes'> {
  readonly processes: number
  /** Within ten seconds: what the event loop ran, and how often other threads and processes woke up. */
  readonly wakes: number
}

/** Counts what an agent does and holds when each of its sessions has had a prompt, and nothing happens any more. */
export async function countIdle(sessions: number): Promise<IdleCounts> {
  await using folder = await openTempDir('ostler-gate-')
  await using model = await startChunkModel((send) => send('hello'))
  const { nodeArgs, read } = probe('work', join(folder.path, 'log'), 'idle')
  await using client = startOstler({ stateDir: join(folder.path, 'state'), model, nodeArgs })
  await initialize(client)
  for (let index = 0; index < sessions; index++) await prompt(client, await openSession(client, folder.path))
  await sleep(settleMs)
  const pids = [client.process.pid ?? 0, ...(await descendantsOf(client.process.pid ?? 0))]
  const [since, before] = [Date.now(), otherWakes(pids)]
  await sleep(watchedMs)
  const [until, after] = [Date.now(), otherWakes(pids)]
  const counted: Work[] = []
  for (let look = 0; look < looks; look++) {
    await sleep(lookEveryMs)
    // Any answer makes the probe tell what it has counted.
    await client.request('_gate/count', {}).catch(() => undefined)
    counted.push(...read().slice(-1))
  }
  const ofLoop = counted.flatMap(({ wakes }) => wakes).filter((at) => at >= since && at <= until).length
  return {
    // A timer that is about to be set again is missing for a moment.
    timersMs: counted.map(({ timersMs }) => timersMs).reduce(longer),
    heapBytes: Math.min(...counted.map(({ heapBytes }) => heapBytes)),
    processes: pids.length,
    wakes: Math.floor((10_000 * (ofLoop + after - before)) / (until - since)),
  }
}

/** The one that has more timers. */
export function longer<Item>(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  return one.length < other.length ? other : one
}

function otherWakes(pids: readonly number[]): number {
  return pids
    .flatMap((pid) =>
      readdirSync(`/proc/${pid}/task`).map((task) =>
        readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'),
      ),
    )
    .filter((status) => !ownThreads.test(status))
    .reduce((sum, status) => sum + Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]), 0)
}
