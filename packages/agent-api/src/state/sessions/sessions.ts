import { setImmediate as nextTask } from 'node:timers/promises'
import type { Strike } from '../../base/clean-text.ts'
import type { SessionId } from '../../base/ids.ts'
import type { Logger } from '../../base/logger.ts'
import type { FileChanges } from '../../messages/file-change.ts'
import type { Message } from '../../messages/message.ts'
import type { TranscriptEntry } from '../../messages/transcript.ts'
import { findCall } from '../calls/call-queries.ts'
import type { Journal } from '../db/journal.ts'
import type { Statements } from '../db/statements.ts'
import { createFileChanges } from './file-changes.ts'
import { restoreConversation, type RestoreOptions } from './restore-conversation.ts'
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
import { createToolOffers, type ToolOffers } from './tool-offers.ts'
import { transcribe } from './transcript.ts'

/** Stored sessions with their entries, tool offers and changed files. */
export interface Sessions {
  readonly offers: ToolOffers
  /** Retention spares the session until it is released. */
  log(session: SessionSummary, options: { readonly isStored: boolean }): SessionLog
  release(id: SessionId): void
  /** For `/undo`. `turn` is the current one. */
  fileChanges(id: SessionId, turn: () => number): FileChanges
  /** Most recently used first. */
  list(query: SessionQuery): readonly SessionSummary[]
  find(id: SessionId): SessionSummary | undefined
  findByPrefix(prefix: string, limit: number): readonly SessionSummary[]
  entries(id: SessionId): readonly SessionEntry[]
  entryPage(id: SessionId, after?: EntryPlace): EntryPage
  /** Each page is read in its own turn of the event loop. */
  entryPages(id: SessionId): AsyncIterable<readonly SessionEntry[]>
  transcript(id: SessionId): AsyncIterable<TranscriptEntry>
  conversation(id: SessionId, options: Omit<RestoreOptions, 'strike'>): Promise<readonly Message[]>
  lastEntry(): number
  writtenAfter(entry: number): readonly SessionId[]
  /**
   * Deletes everything that belongs to it as well. False if it does not exist. Rejects if it cannot be
   * deleted.
   */
  delete(id: SessionId): Promise<boolean>
}

/** For the other parts of the state. */
interface OpenSessions extends Sessions {
  isOpen(id: SessionId): boolean
  /** Writes the row of an open session again, if another process has deleted it. False if it is not open. */
  restore(id: SessionId, statements: Statements): boolean
}

interface SessionsOptions {
  readonly strike: Strike
  readonly logger: Logger
  readonly onDeleted: () => void
}

export function createSessions(
  journal: Journal,
  { strike, logger, onDeleted }: SessionsOptions,
): OpenSessions {
  const { read } = journal
  /** A session may be open twice, if it is reopened before the previous one has ended. */
  const open: { readonly id: SessionId; readonly log: OpenSessionLog }[] = []
  const warnOfOmissions = createOmissionWarnings(logger)
  const reading = (what: string): Reading => ({ strike, onLeftOut: warnOfOmissions(what) })
  const isOpen = (id: SessionId) => open.some((session) => session.id === id)

  function entryPage(id: SessionId, after?: EntryPlace): EntryPage {
    return read((statements) => readEntryPage(statements, id, after, reading(`session ${id}`)))
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

  return {
    offers: createToolOffers(journal, strike),
    log(session, { isStored }) {
      const log = createSessionLog({ journal, strike, session, isStored, isOpen: () => isOpen(session.id) })
      open.push({ id: session.id, log })
      return log
    },
    release(id) {
      const index = open.findIndex((session) => session.id === id)
      if (index !== -1) open.splice(index, 1)
    },
    isOpen,
    restore: (id, statements) => open.find((session) => session.id === id)?.log.restore(statements) === true,
    fileChanges: (id, turn) => createFileChanges(journal, id, turn),
    list: (query) => read((statements) => listSessions(statements, query, reading('sessions'))),
    find: (id) => read((statements) => findSession(statements, id, reading(`session ${id}`))),
    findByPrefix: (prefix, limit) =>
      read((statements) => findSessionsByPrefix(statements, prefix, limit, reading('sessions'))),
    entries: (id) => read((statements) => readEntries(statements, id, reading(`session ${id}`))),
    entryPage,
    entryPages,
    transcript: (id) => transcribe(entryPages(id), { strike }),
    conversation: (id, options) =>
      restoreConversation(
        entryPages(id),
        (call) => read((statements) => findCall(statements, call, strike)),
        { ...options, strike },
      ),
    lastEntry: () => read(lastEntry),
    writtenAfter: (entry) => read((statements) => sessionsWrittenAfter(statements, entry)),
    async delete(id) {
      const isDeleted = await journal.change(
        (statements) => statements.run('DELETE FROM sessions WHERE id = ?', id) > 0,
      )
      onDeleted()
      return isDeleted
    },
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
