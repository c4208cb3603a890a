import type { History } from '@ostler/agent-api/manage'
import type { LiveEvents } from '../api.ts'
import type { AgentSource } from './agent-source.ts'
import type { EventSource } from './http/event-stream.ts'

/** Sends changes by any process to all open pages. It does nothing while no page is open. */
export interface LiveFeed extends Disposable {
  readonly source: EventSource
}

type Send = <K extends keyof LiveEvents>(event: K, data: LiveEvents[K]) => void

const callsAtOnce = 200
/** Changes are detected in this many of the most recent sessions. */
const sessionsLookedAt = 100

export function createLiveFeed(history: History, agent: AgentSource): LiveFeed {
  const readers = new Set<Send>()
  let stops: readonly (() => void)[] = []
  let seen = { change: 0, sessions: '', live: '' }

  const send: Send = (event, data) => {
    for (const reader of readers) reader(event, data)
  }

  function look(): void {
    const calls = history.listCalls({ changedAfter: seen.change, limit: callsAtOnce })
    const last = calls.at(-1)
    if (last !== undefined) {
      seen.change = last.change
      send('calls', { calls })
    }
    // Continues later, so that readers can read in between.
    if (calls.length === callsAtOnce) return void setImmediate(goOn)
    const [sessions, live] = [sessionsNow(), liveNow()]
    if (sessions !== seen.sessions) send('sessions', {})
    if (live !== seen.live) send('servers', {})
    seen = { ...seen, sessions, live }
  }

  function goOn(): void {
    try {
      if (readers.size > 0) look()
    } catch {
      // The next change resumes from the same position.
    }
  }

  const sessionsNow = () =>
    JSON.stringify(history.listSessions({ limit: sessionsLookedAt }).map(({ id, updatedAt, title }) => [id, updatedAt, title]))
  const liveNow = () => JSON.stringify(history.listLiveServers())

  function stop(): void {
    for (const end of stops) end()
    stops = []
  }

  return {
    source(reader) {
      if (readers.size === 0) {
        seen = { change: history.lastCallChange(), sessions: sessionsNow(), live: liveNow() }
        stops = [history.watch(look), agent.onChange(() => send('servers', {}))]
      }
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
