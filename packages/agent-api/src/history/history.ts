import { setImmediate as nextTask } from 'node:timers/promises'
import type { SessionId, ToolCallId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { GrantStore } from '../policy/grant-store.ts'
import type { Redactor } from '../redaction/redact.ts'
import type {
  CalledServer,
  CallQuery,
  CallRecorder,
  CallStatistics,
  CallSummary,
  StatisticsQuery,
  StoredCall,
  TimelineCall,
} from './call.ts'
import { findCall, findCallsByPrefix, lastChange, listCalls, readTimeline } from './call-queries.ts'
import { listCalledTools } from './called-servers.ts'
import { createCallRecorder } from './call-recorder.ts'
import { readStatistics } from './call-statistics.ts'
import type { OpenedDatabase } from './database.ts'
import { countEndedCalls, deleteEndedCalls } from './delete-calls.ts'
import { createGrantStore } from './grants.ts'
import { markInterrupted } from './interrupted-calls.ts'
import {
  emptyLog,
  isSessionOpen,
  listLiveServers,
  noteLiveServers,
  sweepLiveServers,
  type LiveServer,
  type LiveServersNote,
  type LiveServersOptions,
} from './live-servers.ts'
import { openJournal, type Journal, type JournalOptions } from './journal.ts'
import { readLastEnd, type ProcessEnd } from './process-ends.ts'
import { processMark } from './process-mark.ts'
import type { Retention } from '../config/retention.ts'
import { startRetention } from './retention.ts'
import type { SessionEntry, SessionLog, SessionQuery, SessionSummary } from './session-entry.ts'
import { createSessionLog, type OpenSessionLog } from './session-log.ts'
import { findSession, findSessionsByPrefix, listSessions, readEntries, readEntryPage, type EntryPlace } from './session-queries.ts'
import type { Statements } from './statements.ts'
import { createHistoryWatch } from './watch-history.ts'

/** What happened: sessions and calls, shared by all processes that use the same state directory. */
export interface History extends Disposable {
  /** Why it lives only as long as this process. Unset when it is on disk. */
  readonly onlyInMemory: string | undefined
  /** What a person should know who expects it to be kept. */
  readonly warning: string | undefined
  /** For Ostler's own parts, which keep more in the same database. */
  readonly journal: Journal
  grants(agent: string): GrantStore

  callRecorder(options: { readonly agent: string; readonly sessionId?: SessionId; readonly turn?: number }): CallRecorder
  /** Newest first, unless the query asks for what came or changed after something. */
  listCalls(query: CallQuery): readonly CallSummary[]
  findCall(id: ToolCallId): StoredCall | undefined
  /** Those whose id begins like this, by id. */
  findCallsByPrefix(prefix: string, limit: number): readonly CallSummary[]
  /** The calls of one turn in the order they began. */
  callTimeline(id: SessionId, turn: number): readonly TimelineCall[]
  /** What there is to filter by: servers and tools, by name. */
  callFilters(): readonly CalledServer[]
  /** Per day and server, the latest day first. */
  callStatistics(query: StatisticsQuery): Promise<readonly CallStatistics[]>
  /** The number of the last change to a call: what `listCalls({ changedAfter })` finds is later. */
  lastCallChange(): number

  /** The calls that have ended and began before then, all of them without such a time. */
  countEndedCalls(before?: string): number
  /** Says how many there were. Sessions keep what was said and seen in them. Rejects when they cannot be deleted. */
  deleteEndedCalls(before?: string): Promise<number>

  /** For a new session, or one that `findSession` knows. Nothing clears it away before it is released. */
  sessionLog(session: SessionSummary, options: { readonly isStored: boolean }): SessionLog
  /** The session is no longer open here. */
  releaseSession(id: SessionId): void
  /** The one used last comes first. */
  listSessions(query: SessionQuery): readonly SessionSummary[]
  findSession(id: SessionId): SessionSummary | undefined
  /** Those whose id begins like this, by id. */
  findSessionsByPrefix(prefix: string, limit: number): readonly SessionSummary[]
  readEntries(id: SessionId): readonly SessionEntry[]
  /** The same in pieces, each read in a turn of the event loop of its own. */
  entryPages(id: SessionId): AsyncIterable<readonly SessionEntry[]>
  /** With all that belongs to it. False when there is no such session. Rejects when it cannot be deleted. */
  deleteSession(id: SessionId): Promise<boolean>
  /** Whether a process that is running has it open, whichever that is. */
  isSessionOpen(id: SessionId): boolean

  /** Shows which servers an agent or a session has open, and that the session is. */
  noteLiveServers(options: Omit<LiveServersOptions, 'journal' | 'process'>): LiveServersNote
  /** Those of all processes that are running. */
  listLiveServers(): readonly LiveServer[]

  /** The last end of a process that was not asked for. */
  lastEnd(): ProcessEnd | undefined

  /** Calls the listener within a second of anything being written, by this process or another. Returns what ends that. */
  watch(listener: () => void): () => void
}

export interface HistoryParts {
  /** Throws while another program uses the database (`isBusy`): then it is called again. */
  readonly open: () => OpenedDatabase
  /** Opens another one when the first turns out to be damaged, or is no longer there. */
  readonly replace: JournalOptions['replace']
  readonly onlyInMemory: () => string | undefined
  readonly warning?: () => string | undefined
  /** Unset for those who only look. */
  readonly clearing?: { readonly agent: string; readonly retention: Retention }
  readonly logger: Logger
  readonly redactor: Redactor
}

export function createHistory({ open, replace, onlyInMemory, warning, clearing, logger, redactor }: HistoryParts): History {
  const journal = openJournal({ open, replace, logger })
  const process = processMark()
  /** A session may be open twice: the one that it ends with has not ended when the next begins. */
  const openSessions: { readonly id: SessionId; readonly log: OpenSessionLog }[] = []
  const isOpen = (id: SessionId) => openSessions.some((session) => session.id === id)
  const leftOut = createLeftOut(logger)
  const watch = createHistoryWatch(journal, logger)
  journal.write(markInterrupted)
  journal.write((statements) => {
    if (sweepLiveServers(statements)) void emptyLog(journal)
  })
  const retention = clearing && startRetention({ ...clearing, journal, isInMemory: () => onlyInMemory() !== undefined, isOpen })
  return {
    get onlyInMemory() {
      return onlyInMemory()
    },
    get warning() {
      return warning?.()
    },
    journal,
    grants: (agent) => createGrantStore(journal, agent),
    callRecorder(options) {
      const restoreSession = (statements: Statements) =>
        openSessions.find(({ id }) => id === options.sessionId)?.log.restore(statements) === true
      return createCallRecorder({ journal, redactor, process, restoreSession, ...options })
    },
    listCalls: (query) => journal.read((statements) => listCalls(statements, query)),
    findCall: (id) => journal.read((statements) => findCall(statements, id)),
    findCallsByPrefix: (prefix, limit) => journal.read((statements) => findCallsByPrefix(statements, prefix, limit)),
    callTimeline: (id, turn) => journal.read((statements) => readTimeline(statements, id, turn)),
    callFilters: () => journal.read(listCalledTools),
    callStatistics: (query) => readStatistics(journal, query),
    lastCallChange: () => journal.read(lastChange),
    countEndedCalls: (before) => countEndedCalls(journal, before),
    deleteEndedCalls: (before) => deleteEndedCalls(journal, before),
    sessionLog(session, { isStored }) {
      const log = createSessionLog({ journal, redactor, session, isStored, isOpen: () => isOpen(session.id) })
      openSessions.push({ id: session.id, log })
      return log
    },
    releaseSession(id) {
      const index = openSessions.findIndex((session) => session.id === id)
      if (index !== -1) openSessions.splice(index, 1)
    },
    listSessions: (query) => journal.read((statements) => listSessions(statements, query, leftOut('sessions'))),
    findSession: (id) => journal.read((statements) => findSession(statements, id, leftOut(`session ${id}`))),
    findSessionsByPrefix: (prefix, limit) =>
      journal.read((statements) => findSessionsByPrefix(statements, prefix, limit, leftOut('sessions'))),
    readEntries: (id) => journal.read((statements) => readEntries(statements, id, leftOut(`session ${id}`))),
    async *entryPages(id) {
      for (let after: EntryPlace | undefined; ;) {
        const page = journal.read((statements) => readEntryPage(statements, id, after, leftOut(`session ${id}`)))
        if (page.last === undefined) return
        yield page.entries
        after = page.last
        await nextTask()
      }
    },
    deleteSession: (id) => journal.change((statements) => statements.run('DELETE FROM sessions WHERE id = ?', id) > 0),
    isSessionOpen: (id) => journal.read((statements) => isSessionOpen(statements, id)),
    noteLiveServers: (options) => noteLiveServers({ journal, process, ...options }),
    listLiveServers: () => journal.read(listLiveServers),
    lastEnd: () => journal.read(readLastEnd),
    watch: watch.watch,
    [Symbol.dispose]() {
      watch[Symbol.dispose]()
      retention?.[Symbol.dispose]()
      journal[Symbol.dispose]()
    },
  }
}

/** Looking is done often, and the same is said once. */
function createLeftOut(logger: Logger): (what: string) => (rows: number) => void {
  const said = new Set<string>()
  return (what) => (rows) => {
    if (said.has(`${what} ${rows}`)) return
    said.add(`${what} ${rows}`)
    logger.warn('a part of the history cannot be read and is left out', { what, rows })
  }
}
