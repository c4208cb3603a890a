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
/** Lists are compared this often at most, because text that streams in changes the database many times a second. */
const listsEveryMs = 500
/** The interval between searches for killed processes: a killed process writes nothing. With the lists' interval, it is less than a second. */
const sweepEveryMs = 400

export function createLiveFeed(history: History, agent: AgentSource): LiveFeed {
  const readers = new Set<Send>()
  let stops: readonly (() => void)[] = []
  let seen = { change: 0, entry: 0, questions: '', sessions: '', live: '' }
  let listsTimer: NodeJS.Timeout | undefined
  let listsAt = -Infinity

  const send: Send = (event, data) => {
    for (const reader of readers) reader(event, data)
  }

  function look(): void {
    listsTimer ??= setTimeout(attempt, Math.max(0, listsAt + listsEveryMs - performance.now()), lookAtLists).unref()
    lookAtEntries()
    lookAtQuestions()
    lookAtCalls()
  }

  function lookAtCalls(): void {
    const calls = history.listCalls({ changedAfter: seen.change, limit: callsAtOnce })
    const last = calls.at(-1)
    if (last === undefined) return
    seen.change = last.change
    send('calls', { calls })
    // Continues later, so that readers can read in between.
    if (calls.length === callsAtOnce) setImmediate(attempt, lookAtCalls)
  }

  function lookAtEntries(): void {
    const last = history.lastEntry()
    // The last entries may have been deleted.
    const sessions = last > seen.entry ? history.sessionsWrittenAfter(seen.entry) : []
    seen.entry = last
    if (sessions.length > 0) send('entries', { sessions })
  }

  function lookAtQuestions(): void {
    const questions = questionsNow()
    if (questions !== seen.questions) send('questions', {})
    seen.questions = questions
  }

  function lookAtLists(): void {
    listsTimer = undefined
    listsAt = performance.now()
    const [sessions, live] = [sessionsNow(), liveNow()]
    if (sessions !== seen.sessions) send('sessions', {})
    if (live !== seen.live) send('servers', {})
    seen = { ...seen, sessions, live }
  }

  function attempt(work: () => void): void {
    try {
      if (readers.size > 0) work()
    } catch {
      // The next change resumes from the same position.
    }
  }

  const sessionsNow = () =>
    JSON.stringify([
      history.listSessions({ limit: sessionsLookedAt }).map(({ id, updatedAt, title }) => [id, updatedAt, title]),
      history.openSessions(),
    ])
  const questionsNow = () => history.questions.ids().join()
  const liveNow = () => JSON.stringify(history.listLiveServers())

  function start(): void {
    attempt(() => history.endLeftOpen())
    seen = {
      change: history.lastCallChange(),
      entry: history.lastEntry(),
      questions: questionsNow(),
      sessions: sessionsNow(),
      live: liveNow(),
    }
    const sweep = setInterval(attempt, sweepEveryMs, () => history.endLeftOpen()).unref()
    stops = [history.watch(look), agent.onChange(() => send('servers', {})), () => clearInterval(sweep)]
  }

  function stop(): void {
    for (const end of stops) end()
    clearTimeout(listsTimer)
    listsTimer = undefined
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
