import type { DatabaseSync } from 'node:sqlite'
import type { SessionId, ToolCallId } from '../ids.ts'
import type { Logger } from '../logger.ts'
import type { GrantStore } from '../policy/grant-store.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { CallQuery, CallRecorder, CallSummary, StoredCall } from './call.ts'
import { findCall, listCalls } from './call-queries.ts'
import { createCallRecorder } from './call-recorder.ts'
import { createGrantStore } from './grants.ts'
import { markInterrupted } from './interrupted-calls.ts'
import { openJournal, type Journal } from './journal.ts'
import { processMark } from './process-mark.ts'
import type { SessionEntry, SessionLog, SessionQuery, SessionSummary } from './session-entry.ts'
import { createSessionLog } from './session-log.ts'
import { findSession, listSessions, readEntries } from './session-queries.ts'

/** What happened: sessions and calls, shared by all processes that use the same state directory. */
export interface History extends Disposable {
  /** Why it lives only as long as this process. Unset when it is on disk. */
  readonly onlyInMemory: string | undefined
  readonly journal: Journal
  grants(agent: string): GrantStore

  callRecorder(options: { readonly agent: string; readonly sessionId?: SessionId; readonly turn?: number }): CallRecorder
  /** Newest first, unless the query asks for what came after something. */
  listCalls(query: CallQuery): readonly CallSummary[]
  findCall(id: ToolCallId): StoredCall | undefined

  /** For a new session, or one that `findSession` knows. */
  sessionLog(session: SessionSummary, options: { readonly isStored: boolean }): SessionLog
  /** The one used last comes first. */
  listSessions(query: SessionQuery): readonly SessionSummary[]
  findSession(id: SessionId): SessionSummary | undefined
  readEntries(id: SessionId): readonly SessionEntry[]
  /** With all that belongs to it. False when there is no such session. Throws when it cannot be deleted. */
  deleteSession(id: SessionId): boolean
}

export interface HistoryParts {
  /** Called once now, and again when the file turns out to be damaged. */
  readonly open: () => DatabaseSync
  readonly onlyInMemory: () => string | undefined
  readonly logger: Logger
  readonly redactor: Redactor
}

export function createHistory({ open, onlyInMemory, logger, redactor }: HistoryParts): History {
  const journal = openJournal({ database: open(), replace: open, logger })
  const process = processMark()
  journal.write(markInterrupted)
  return {
    get onlyInMemory() {
      return onlyInMemory()
    },
    journal,
    grants: (agent) => createGrantStore(journal, agent),
    callRecorder: (options) => createCallRecorder({ journal, redactor, process, ...options }),
    listCalls: (query) => journal.read((statements) => listCalls(statements, query)),
    findCall: (id) => journal.read((statements) => findCall(statements, id)),
    sessionLog: (session, { isStored }) => createSessionLog({ journal, redactor, session, isStored }),
    listSessions: (query) => journal.read((statements) => listSessions(statements, query)),
    findSession: (id) => journal.read((statements) => findSession(statements, id)),
    readEntries: (id) => journal.read((statements) => readEntries(statements, id)),
    deleteSession: (id) => journal.change((statements) => statements.run('DELETE FROM sessions WHERE id = ?', id) > 0),
    [Symbol.dispose]: () => journal[Symbol.dispose](),
  }
}
