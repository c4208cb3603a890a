import { messageOf } from '../base/errors.ts'
import { createListeners, type Listeners } from '../base/listeners.ts'
import type { Logger } from '../base/logger.ts'
import { createRest, restMs } from '../base/rest.ts'
import type { Timing } from '../base/timing.ts'
import { lastChange } from './calls/call-queries.ts'
import type { Journal } from './db/journal.ts'
import type { Statements } from './db/statements.ts'
import { listLiveServers, listOpenSessions } from './presence/presence.ts'
import { openQuestionIds } from './questions/questions.ts'
import { lastEntry, recentSessions } from './sessions/session-queries.ts'

/** `sessions`: their rows, and which are open. `entries`: additions to sessions. */
export type Topic = 'calls' | 'entries' | 'sessions' | 'servers' | 'questions' | 'presence'

export interface Changes {
  /** Calls the listener soon after the topic has changed. Returns a function that stops it. */
  watch(topic: Topic, listener: () => void): () => void
  /**
   * Looks at once. Call it before reading a topic for a watcher: between two looks, a value may change and
   * change back, and only this reader would have seen it.
   */
  look(topic: Topic): void
}

export interface ChangesOptions {
  readonly journal: () => Pick<Journal, 'read' | 'writes' | 'generation'> | undefined
  /** The directory of the database. Undefined if it is in memory. */
  readonly directory?: () => string | undefined
  readonly timing: Pick<Timing, 'storedServersCheckMs'>
  readonly logger: Logger
}

interface Look {
  /** The minimum time between two looks. Some read much, and streamed text changes the database many times a second. */
  readonly everyMs: number
  /** True for a topic that is watched as long as the process runs. The others are watched while somebody waits. */
  readonly mayRest?: true
  readonly look: (statements: Statements) => string | number
}

const looksOf = ({ storedServersCheckMs }: ChangesOptions['timing']): Readonly<Record<Topic, Look>> => ({
  calls: { everyMs: 50, look: lastChange },
  entries: { everyMs: 50, look: lastEntry },
  questions: { everyMs: 100, look: (statements) => openQuestionIds(statements).join() },
  sessions: {
    everyMs: 500,
    look: (statements) => JSON.stringify([recentSessions(statements), listOpenSessions(statements)]),
  },
  presence: { everyMs: 500, look: (statements) => JSON.stringify(listLiveServers(statements)) },
  servers: {
    everyMs: storedServersCheckMs,
    mayRest: true,
    look: (statements) => Number(statements.get('SELECT version FROM servers_version')?.['version'] ?? 0),
  },
})

interface Watched extends Look {
  readonly listeners: Listeners
  /** The version of the database at the last look, and the value found. Undefined if it could not be read. */
  at?: string
  found?: string
  /** The time since the last look, as the timer counts it. */
  sinceMs: number
}

/** The first look after a rest. The directory tells of a write shortly before it can be read. */
const wokenMs = 50
const calmTicksMin = 2

/**
 * One timer looks for all topics, as often as the most urgent one needs it. Without writes, it reads one number from shared memory. If all
 * topics may rest and nothing is written, it rests until the directory changes. There is no timer while nothing is watched.
 */
export function createChanges({ journal, directory, timing, logger }: ChangesOptions): Changes & Disposable {
  const looks = looksOf(timing)
  const watched = new Map<Topic, Watched>()
  let timer: NodeJS.Timeout | undefined
  let timerMs: number | undefined
  let isClosed = false
  let calmTicks = 0
  const rest = createRest(() => {
    calmTicks = 0
    setTimer(wokenMs)
  }, logger)

  function setTimer(soonMs = Infinity): void {
    const topics = [...watched.values()]
    const isIdle = isClosed || topics.length === 0
    if (isIdle || topics.some((one) => one.mayRest !== true)) rest.end()
    const everyMs = rest.isActive ? restMs : Math.min(soonMs, ...topics.map((one) => one.everyMs))
    const dueMs = isIdle ? undefined : everyMs
    if (dueMs === timerMs) return
    clearInterval(timer)
    timerMs = dueMs
    timer = dueMs === undefined ? undefined : setInterval(() => tick(dueMs), dueMs).unref()
  }

  function tick(ms: number): void {
    const topics = [...watched.values()]
    for (const topic of topics) topic.sinceMs += ms
    const hasRested = rest.isActive
    if (calmTicks >= calmTicksMin && topics.every((one) => one.mayRest)) rest.begin(directory?.())
    if (lookAt(topics)) calmTicks++
    else {
      calmTicks = 0
      rest.end()
      if (hasRested) rest.noteMiss()
    }
    setTimer()
  }

  /** True if nothing was written since the last look. */
  function lookAt(topics: readonly Watched[]): boolean {
    const changed: Listeners[] = []
    let isCalm = false
    attempt(() => {
      const now = journal()
      if (now === undefined) {
        for (const topic of topics) topic.found ??= ''
        return
      }
      // SQLite counts the writes of other connections, and the journal those of this process.
      const data = now.read((statements) => statements.get('PRAGMA data_version')?.['data_version'])
      const at = `${now.generation} ${now.writes} ${String(data)}`
      isCalm = topics.every((topic) => topic.at === at)
      for (const topic of topics) {
        if (topic.at === at || topic.sinceMs < topic.everyMs) continue
        topic.sinceMs = 0
        // A topic that cannot be read does not stop the others.
        attempt(() => {
          const value = now.read(topic.look)
          const found = `${now.generation} ${value}`
          if (topic.found !== found) changed.push(topic.listeners)
          Object.assign(topic, { at, found })
        })
      }
    })
    for (const listeners of changed) listeners.tell()
    return isCalm
  }

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      logger.debug('the state directory cannot be checked for changes', { error: messageOf(error) })
    }
  }

  return {
    watch(topic, listener) {
      let own = watched.get(topic)
      if (own === undefined) {
        own = { ...looks[topic], listeners: createListeners('changes', logger), sinceMs: Infinity }
        lookAt([own])
        watched.set(topic, own)
        setTimer()
      }
      const { listeners } = own
      const remove = listeners.add(listener)
      return () => {
        remove()
        if (listeners.size > 0) return
        if (watched.get(topic)?.listeners === listeners) watched.delete(topic)
        setTimer()
      }
    },
    look(topic) {
      const own = watched.get(topic)
      if (own !== undefined) lookAt([Object.assign(own, { sinceMs: Infinity })])
    },
    [Symbol.dispose]() {
      isClosed = true
      setTimer()
    },
  }
}
