import type { Strike } from '../base/clean-text.ts'
import { setImmediate as nextTask } from 'node:timers/promises'
import type { SessionId, ToolCallId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { GrantStore } from '../policy/grant-store.ts'
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
import { findCall, findCallsByPrefix, lastChange, listCalls, readTimeline, cleanSummary } from './call-queries.ts'
import { listCalledTools } from './called-servers.ts'
import { createCallRecorder } from './call-recorder.ts'
import { readStatistics } from './call-statistics.ts'
import type { OpenedDatabase } from './database.ts'
import { readDecidedCalls, type DecidedCallsQuery, type DecidedStep } from './decided-calls.ts'
import { countEndedCalls, deleteEndedCalls } from './delete-calls.ts'
import type { FileChanges } from '../messages/file-change.ts'
import type { Message } from '../messages/message.ts'
import type { TranscriptEntry } from '../messages/transcript.ts'
import { createFileChanges } from './file-changes.ts'
import { createGrantStore } from './grants.ts'
import type { PastSearch } from '../messages/past-search.ts'
import { createKeptResults, type KeptResults } from './kept-results.ts'
import { createKnownServers, type KnownServers } from './known-servers.ts'
import { endLeftOpen, hasLeftOpen } from './ended-processes.ts'
import { listOpenCalls } from './interrupted-calls.ts'
import {
  isSessionOpen,
  listLiveServers,
  listOpenSessions,
  noteLiveServers,
  type LiveServer,
  type LiveServersNote,
  type LiveServersOptions,
} from './live-servers.ts'
import { openJournal, type Journal, type JournalOptions } from './journal.ts'
import { readLastEnd, type ProcessEnd } from './process-ends.ts'
import { readPastSearches } from './past-searches.ts'
import { processMark } from './process-mark.ts'
import { createQuestions, type Questions } from './questions.ts'
import { restoreConversation, type RestoreOptions } from './restore-conversation.ts'
import type { Retention } from '../config/retention.ts'
import { startRetention } from './retention.ts'
import type { SessionEntry, SessionLog, SessionQuery, SessionSummary } from './session-entry.ts'
import { createSessionLog, type OpenSessionLog } from './session-log.ts'
import {
  findSession,
  findSessionsByPrefix,
  lastEntry,
  listSessions,
  readEntries,
  readEntryPage,
  sessionsWrittenAfter,
  type EntryPage,
  type EntryPlace,
  type Reading,
} from './session-queries.ts'
import type { Statements } from './statements.ts'
import { createToolOffers, type ToolOffers } from './tool-offers.ts'
import { transcribe } from './transcript.ts'
import { createHistoryWatch } from './watch-history.ts'

/** Sessions and calls, shared by all processes with the same state directory. */
export interface History extends Disposable {
  /** The reason why history is lost when the process ends. Undefined if it is on disk. */
  readonly onlyInMemory: string | undefined
  /** A warning for a person who expects history to be kept. */
  readonly warning: string | undefined
  /** For other parts of Ostler that store data in the same database. */
  readonly journal: Journal
  grants(agent: string): GrantStore
  knownServers(agent: string): KnownServers
  readonly keptResults: KeptResults
  readonly questions: Questions
  readonly toolOffers: ToolOffers

  callRecorder(options: { readonly agent: string; readonly sessionId?: SessionId; readonly turn?: number }): CallRecorder
  /** Newest first, unless the query asks for what was added or changed after something. */
  listCalls(query: CallQuery): readonly CallSummary[]
  findCall(id: ToolCallId): StoredCall | undefined
  /** Calls whose id has this prefix, sorted by id. */
  findCallsByPrefix(prefix: string, limit: number): readonly CallSummary[]
  /** The calls of one turn in the order they started. */
  callTimeline(id: SessionId, turn: number): readonly TimelineCall[]
  /** Servers and tools to filter by, sorted by name. */
  callFilters(): readonly CalledServer[]
  /** Statistics per day and server, latest day first. Rejects when the signal aborts. */
  callStatistics(query: StatisticsQuery, signal?: AbortSignal): Promise<readonly CallStatistics[]>
  /** The decided calls of an agent, newest first, in steps. */
  decidedCalls(query: DecidedCallsQuery): AsyncIterable<DecidedStep>
  /** The prompts and tool searches of a folder, with the tools that succeeded. Empty if they cannot be read. */
  pastSearches(agent: string, cwd: string): readonly PastSearch[]
  /** The number of the last change to a call, for `listCalls({ changedAfter })`. */
  lastCallChange(): number

  /** Counts ended calls that started before the given time, or all of them. */
  countEndedCalls(before?: string): number
  /** Deletes the same calls and returns their number. Sessions keep what was shown in them. Rejects if the calls cannot be deleted. */
  deleteEndedCalls(before?: string): Promise<number>

  /** Opens the log of a new or stored session. Retention spares the session until it is released. */
  sessionLog(session: SessionSummary, options: { readonly isStored: boolean }): SessionLog
  /** The files that a session has changed, for `/undo`. `turn` is the current one. */
  fileChanges(id: SessionId, turn: () => number): FileChanges
  /** Call when the session is no longer open in this process. */
  releaseSession(id: SessionId): void
  /** Most recently used first. */
  listSessions(query: SessionQuery): readonly SessionSummary[]
  findSession(id: SessionId): SessionSummary | undefined
  /** Sessions whose id has this prefix, sorted by id. */
  findSessionsByPrefix(prefix: string, limit: number): readonly SessionSummary[]
  readEntries(id: SessionId): readonly SessionEntry[]
  /** The entries in pages, each read in its own turn of the event loop. */
  entryPages(id: SessionId): AsyncIterable<readonly SessionEntry[]>
  /** The entries as a person reads them. */
  transcript(id: SessionId): AsyncIterable<TranscriptEntry>
  /** The conversation as its model reads it. */
  conversation(id: SessionId, options: Omit<RestoreOptions, 'strike'>): Promise<readonly Message[]>
  /** A page of entries, beginning after a place. */
  entryPage(id: SessionId, after?: EntryPlace): EntryPage
  /** The number of the last entry of all sessions, for `sessionsWrittenAfter`. */
  lastEntry(): number
  /** The sessions that got entries after this one. */
  sessionsWrittenAfter(entry: number): readonly SessionId[]
  /** The calls of a session that wait or run now, in any running process. */
  openCalls(id: SessionId): ReadonlySet<ToolCallId>
  /** Deletes a session with everything that belongs to it. False if it does not exist. Rejects if it cannot be deleted. */
  deleteSession(id: SessionId): Promise<boolean>
  /** True if any running process has the session open. */
  isSessionOpen(id: SessionId): boolean
  /** The sessions that running processes have open. */
  openSessions(): readonly SessionId[]

  /** Publishes the open servers of an agent or session, and that the session is open. */
  noteLiveServers(options: Omit<LiveServersOptions, 'journal' | 'process'>): LiveServersNote
  /** The servers of all running processes. */
  listLiveServers(): readonly LiveServer[]

  /** Ends the calls, servers and sessions of processes that were killed. */
  endLeftOpen(): void
  /** The last abnormal end of a process. */
  lastEnd(): ProcessEnd | undefined

  /** Calls the listener within a second of any write, by this process or another. Returns a function that stops it. */
  watch(listener: () => void): () => void
}

export interface HistoryParts {
  /** Throws while another program uses the database (`isBusy`); it is then called again. */
  readonly open: () => OpenedDatabase
  /** Opens another database if the first is corrupt or gone. */
  readonly replace: JournalOptions['replace']
  readonly onlyInMemory: () => string | undefined
  readonly warning?: () => string | undefined
  /** Undefined for readers. */
  readonly clearing?: { readonly agent: string; readonly retention: Retention }
  readonly timing: JournalOptions['timing']
  readonly logger: Logger
  /**
   * Everything with text of others passes it before it is stored. Entries of sessions and bodies of calls pass it again when they are read,
   * because a row may be older than a secret.
   */
  readonly strike: Strike
}

export function createHistory({ open, replace, onlyInMemory, warning, clearing, timing, logger, strike }: HistoryParts): History {
  const journal = openJournal({ open, replace, timing, logger })
  const process = processMark()
  /** A session may be open twice, if it is reopened before the previous one has ended. */
  const openSessions: { readonly id: SessionId; readonly log: OpenSessionLog }[] = []
  const isOpen = (id: SessionId) => openSessions.some((session) => session.id === id)
  const warnOfOmissions = createOmissionWarnings(logger)
  const cleanSummaries = <C extends CallSummary>(calls: readonly C[]) => calls.map((call) => cleanSummary(call, strike))
  const readingOf = (what: string): Reading => ({ strike, onLeftOut: warnOfOmissions(what) })
  const watch = createHistoryWatch(journal, logger)
  endLeftOpen(journal)
  const retention = clearing && startRetention({ ...clearing, journal, isInMemory: () => onlyInMemory() !== undefined, isOpen })
  return {
    get onlyInMemory() {
      return onlyInMemory()
    },
    get warning() {
      return warning?.()
    },
    journal,
    grants: (agent) => createGrantStore(journal, agent, strike),
    knownServers: (agent) => createKnownServers(journal, agent),
    keptResults: createKeptResults(journal),
    questions: createQuestions({ journal, process, strike }),
    toolOffers: createToolOffers(journal, strike),
    callRecorder(options) {
      const restoreSession = (statements: Statements) =>
        openSessions.find(({ id }) => id === options.sessionId)?.log.restore(statements) === true
      return createCallRecorder({ journal, strike, process, restoreSession, ...options })
    },
    listCalls: (query) => cleanSummaries(journal.read((statements) => listCalls(statements, query))),
    findCall: findStoredCall,
    findCallsByPrefix: (prefix, limit) => cleanSummaries(journal.read((statements) => findCallsByPrefix(statements, prefix, limit))),
    callTimeline: (id, turn) => cleanSummaries(journal.read((statements) => readTimeline(statements, id, turn))),
    callFilters: () => journal.read(listCalledTools),
    callStatistics: (query, signal) => readStatistics(journal, query, signal),
    decidedCalls: (query) => readDecidedCalls(journal, query),
    pastSearches: (agent, cwd) => readPastSearches(journal, agent, cwd),
    lastCallChange: () => journal.read(lastChange),
    countEndedCalls: (before) => countEndedCalls(journal, before),
    deleteEndedCalls: (before) => deleteEndedCalls(journal, before),
    sessionLog(session, { isStored }) {
      const log = createSessionLog({ journal, strike, session, isStored, isOpen: () => isOpen(session.id) })
      openSessions.push({ id: session.id, log })
      return log
    },
    fileChanges: (id, turn) => createFileChanges(journal, id, turn),
    releaseSession(id) {
      const index = openSessions.findIndex((session) => session.id === id)
      if (index !== -1) openSessions.splice(index, 1)
    },
    listSessions: (query) => journal.read((statements) => listSessions(statements, query, readingOf('sessions'))),
    findSession: (id) => journal.read((statements) => findSession(statements, id, readingOf(`session ${id}`))),
    findSessionsByPrefix: (prefix, limit) =>
      journal.read((statements) => findSessionsByPrefix(statements, prefix, limit, readingOf('sessions'))),
    readEntries: (id) => journal.read((statements) => readEntries(statements, id, readingOf(`session ${id}`))),
    entryPage,
    lastEntry: () => journal.read(lastEntry),
    sessionsWrittenAfter: (entry) => journal.read((statements) => sessionsWrittenAfter(statements, entry)),
    openCalls: (id) => journal.read((statements) => listOpenCalls(statements, id)),
    entryPages,
    transcript: (id) => transcribe(entryPages(id), { strike }),
    conversation: (id, options) => restoreConversation(entryPages(id), findStoredCall, { ...options, strike }),
    async deleteSession(id) {
      const isDeleted = await journal.change((statements) => statements.run('DELETE FROM sessions WHERE id = ?', id) > 0)
      retention?.freeSpace()
      return isDeleted
    },
    isSessionOpen: (id) => journal.read((statements) => isSessionOpen(statements, id)),
    openSessions: () => journal.read(listOpenSessions),
    endLeftOpen() {
      if (!journal.isReadOnly && journal.read(hasLeftOpen)) endLeftOpen(journal)
    },
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

  async function* entryPages(id: SessionId): AsyncGenerator<readonly SessionEntry[], void, undefined> {
    for (let after: EntryPlace | undefined; ;) {
      const page = entryPage(id, after)
      if (page.last === undefined) return
      yield page.entries
      after = page.last
      await nextTask()
    }
  }

  function findStoredCall(id: ToolCallId): StoredCall | undefined {
    return journal.read((statements) => findCall(statements, id, strike))
  }

  function entryPage(id: SessionId, after?: EntryPlace): EntryPage {
    return journal.read((statements) => readEntryPage(statements, id, after, readingOf(`session ${id}`)))
  }
}

/** Reports unreadable rows once, because the same rows are read often. */
function createOmissionWarnings(logger: Logger): (what: string) => (rows: number) => void {
  const said = new Set<string>()
  return (what) => (rows) => {
    if (said.has(`${what} ${rows}`)) return
    said.add(`${what} ${rows}`)
    logger.warn('a part of the history cannot be read and is left out', { what, rows })
  }
}
