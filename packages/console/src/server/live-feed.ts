import type { State } from '@ostler/agent-api/internal'
import type { LiveEvents } from '../api.ts'
import type { AgentSource } from './agent-source.ts'
import type { EventSource } from './http/event-stream.ts'

/** Sends changes by any process to all open pages. It does nothing while no page is open. */
export interface LiveFeed extends Disposable {
  readonly source: EventSource
}

type Send = <K extends keyof LiveEvents>(event: K, data: LiveEvents[K]) => void

const callsAtOnce = 200
/** The interval between searches for killed processes: a killed process writes nothing. */
const sweepEveryMs = 400

export function createLiveFeed(state: State, agent: AgentSource): LiveFeed {
  const readers = new Set<Send>()
  let stops: readonly (() => void)[] = []
  let seen = { change: 0, entry: 0 }

  const send: Send = (event, data) => {
    for (const reader of readers) reader(event, data)
  }

  function lookAtCalls(): void {
    const calls = state.calls.list({ changedAfter: seen.change, limit: callsAtOnce })
    const last = calls.at(-1)
    if (last === undefined) return
    seen.change = last.change
    send('calls', { calls })
    // Continues later, so that readers can read in between.
    if (calls.length === callsAtOnce) setImmediate(attempt, lookAtCalls)
  }

  function lookAtEntries(): void {
    const last = state.sessions.lastEntry()
    // The last entries may have been deleted.
    const sessions = last > seen.entry ? state.sessions.writtenAfter(seen.entry) : []
    seen.entry = last
    if (sessions.length > 0) send('entries', { sessions })
  }

  function attempt(work: () => void): void {
    try {
      if (readers.size > 0) work()
    } catch {
      // The next change resumes from the same position.
    }
  }

  function start(): void {
    attempt(() => state.endLeftOpen())
    seen = { change: state.calls.lastChange(), entry: state.sessions.lastEntry() }
    const { watch } = state.changes
    const sweep = setInterval(attempt, sweepEveryMs, () => state.endLeftOpen()).unref()
    stops = [
      watch('calls', () => attempt(lookAtCalls)),
      watch('entries', () => attempt(lookAtEntries)),
      watch('questions', () => send('questions', {})),
      watch('sessions', () => send('sessions', {})),
      watch('presence', () => send('servers', {})),
      agent.onChange(() => send('servers', {})),
      () => clearInterval(sweep),
    ]
  }

  function stop(): void {
    for (const end of stops) end()
    stops = []
  }

  return {
    source(reader) {
      if (readers.size === 0) start()
      const own: Send = (event, data) => reader(event, data)
      readers.add(own)
      return () => {
        readers.delete(own)
        if (readers.size === 0) stop()
      }
    },
    [Symbol.dispose]() {
      readers.clear()
      stop()
    },
  }
}
