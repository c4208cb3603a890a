import type { SessionId } from '../../base/ids.ts'
import type { Journal } from '../db/journal.ts'
import {
  isSessionOpen,
  listLiveServers,
  listOpenSessions,
  noteLiveServers,
  type LiveServer,
  type LiveServersNote,
  type LiveServersOptions,
} from './live-servers.ts'
import { readLastEnd, type ProcessEnd } from './process-ends.ts'

/** The servers and sessions that running processes have open, and how the last process ended. */
export interface Presence {
  /** Publishes that a session is open, and its servers; or the servers of an agent. */
  note(options: Omit<LiveServersOptions, 'journal' | 'process'>): LiveServersNote
  /** The servers of all running processes. */
  servers(): readonly LiveServer[]
  /** The sessions that running processes have open. */
  openSessions(): readonly SessionId[]
  isSessionOpen(id: SessionId): boolean
  /** The last abnormal end of a process. */
  lastEnd(): ProcessEnd | undefined
}

export function createPresence(journal: Journal, process: string): Presence {
  const { read } = journal
  return {
    note: (options) => noteLiveServers({ journal, process, ...options }),
    servers: () => read(listLiveServers),
    openSessions: () => read(listOpenSessions),
    isSessionOpen: (id) => read((statements) => isSessionOpen(statements, id)),
    lastEnd: () => read(readLastEnd),
  }
}
