import type { Strike } from '../base/clean-text.ts'
import type { Logger } from '../base/logger.ts'
import type { Retention } from '../config/retention.ts'
import { createCalls, type Calls } from './calls/calls.ts'
import { createChanges, type Changes, type ChangesOptions } from './changes.ts'
import type { OpenedDatabase } from './db/database.ts'
import { openJournal, type Journal, type JournalOptions } from './db/journal.ts'
import { endLeftOpen, hasLeftOpen } from './killed-processes.ts'
import { createPresence, type Presence } from './presence/presence.ts'
import { processMark } from './presence/process-mark.ts'
import { createQuestions, type Questions } from './questions/questions.ts'
import { startRetention } from './start-retention.ts'
import { createServers, type Servers } from './servers/servers.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'

/** A state directory, which all processes share. */
export interface State extends Disposable {
  readonly calls: Calls
  readonly sessions: Sessions
  readonly servers: Servers
  readonly questions: Questions
  readonly presence: Presence
  readonly changes: Changes
  flushed(): Promise<void>
  /** The reason why the state is lost when the process ends. Undefined if it is on disk. */
  readonly onlyInMemory: string | undefined
  /** A warning for a person who expects the history to be kept. */
  readonly warning: string | undefined
  readonly journal: Journal
  endLeftOpen(): void
}

export interface StateParts {
  /** Throws while another program uses the database (`isBusy`); it is then called again. */
  readonly open: () => OpenedDatabase
  readonly replace: JournalOptions['replace']
  readonly onlyInMemory: () => string | undefined
  readonly stateDir?: string | undefined
  readonly warning?: () => string | undefined
  readonly clearing?: { readonly agent: string; readonly retention: Retention } | undefined
  readonly timing: JournalOptions['timing'] & ChangesOptions['timing']
  readonly logger: Logger
  /**
   * Everything with text of others passes it before it is stored. Entries of sessions and bodies of calls pass it again when they are read,
   * because a row may be older than a secret.
   */
  readonly strike: Strike
}

export function createState(parts: StateParts): State {
  const { onlyInMemory, warning, clearing, logger, strike } = parts
  const journal = openJournal(parts)
  const process = processMark()
  const sessions = createSessions(journal, { strike, logger, onDeleted: () => retention?.freeSpace() })
  const changes = createChanges({
    journal: () => journal,
    directory: () => (onlyInMemory() === undefined ? parts.stateDir : undefined),
    timing: parts.timing,
    logger,
  })
  endLeftOpen(journal)
  const retention =
    clearing &&
    startRetention(
      { ...clearing, journal, isInMemory: () => onlyInMemory() !== undefined, isOpen: sessions.isOpen },
      logger,
    )
  return {
    calls: createCalls(journal, { strike, process, restoreSession: sessions.restore }),
    sessions,
    servers: createServers(journal, strike),
    questions: createQuestions({ journal, changes, process, strike }),
    presence: createPresence(journal, process),
    changes,
    get onlyInMemory() {
      return onlyInMemory()
    },
    get warning() {
      return warning?.()
    },
    journal,
    flushed: journal.flushed,
    endLeftOpen() {
      if (!journal.isReadOnly && journal.read(hasLeftOpen)) endLeftOpen(journal)
    },
    [Symbol.dispose]() {
      changes[Symbol.dispose]()
      retention?.[Symbol.dispose]()
      journal[Symbol.dispose]()
    },
  }
}
