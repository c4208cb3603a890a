import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { SessionId } from '../../base/ids.ts'
import type { McpStatus } from '../../mcp/mcp-client.ts'
import type { Journal } from '../db/journal.ts'
import { fateOf } from './process-mark.ts'
import type { Statements } from '../db/statements.ts'
import { toValid } from '../db/stored-json.ts'

/** Information on a server in use, for other processes. It is not enough to start or reach the server. */
export interface LiveServerState {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'sse' | 'acp'
  /** The command line or URL, without secrets. */
  readonly origin: string
  /** The hash under which its tools are remembered. */
  readonly identity?: string
  readonly status: McpStatus['state']
  readonly reason?: string
  /** True if a person must log in. */
  readonly needsLogin?: true
  readonly tools: number
  readonly prompts: number
}

export interface LiveServer extends LiveServerState {
  readonly agent: string
  /** Null for a server of the agent, which its sessions share. */
  readonly sessionId: SessionId | null
  readonly sessionTitle: string | null
  readonly owner: 'agent' | 'session'
}

/** Publishes the servers of one owner, and that a session is open, until it is disposed. */
export interface LiveServersNote extends Disposable {
  /** Call when the servers may have changed. Written after a delay, so that a connecting server causes one write instead of ten. */
  changed(): void
}

export interface LiveServersOptions {
  readonly journal: Pick<Journal, 'write' | 'tryChange' | 'generation'>
  readonly process: string
  readonly agent: string
  readonly sessionId: SessionId | null
  readonly look: () => readonly LiveServerState[]
}

/** Delay before writing. Nothing needed at startup waits for it. */
const settleMs = 150

const insert = `INSERT INTO live_servers (process, agent, session_id, name, transport, origin, identity, status, reason, needs_login, tools, prompts)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const forget = 'DELETE FROM live_servers WHERE process = ? AND session_id IS ?'
const insertSession = 'INSERT OR IGNORE INTO open_sessions (session_id, process) VALUES (?, ?)'
const forgetSession = 'DELETE FROM open_sessions WHERE session_id = ? AND process = ?'

export function noteLiveServers({
  journal,
  process,
  agent,
  sessionId,
  look,
}: LiveServersOptions): LiveServersNote {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** The last written state, and the database it was written to. A session is written even without servers. */
  let written = { text: sessionId === null ? '[]' : '', generation: journal.generation }

  function write(): void {
    timer = undefined
    const servers = look()
    const now = { text: JSON.stringify(servers), generation: journal.generation }
    if (now.text === written.text && now.generation === written.generation) return
    written = now
    journal.write((statements) =>
      securelyDeleting(statements, () => {
        statements.run(forget, process, sessionId)
        if (sessionId !== null) statements.run(insertSession, sessionId, process)
        for (const {
          name,
          transport,
          origin,
          identity = null,
          status,
          reason = null,
          needsLogin = false,
          tools,
          prompts,
        } of servers) {
          const state = [identity, status, reason, Number(needsLogin), tools, prompts] as const
          statements.run(insert, process, agent, sessionId, name, transport, origin, ...state)
        }
      }),
    )
  }

  return {
    changed() {
      if (!isClosed) timer ??= setTimeout(write, settleMs).unref()
    },
    [Symbol.dispose]() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      if (written.text !== (sessionId === null ? '[]' : ''))
        journal.write((statements) =>
          securelyDeleting(statements, () => {
            statements.run(forget, process, sessionId)
            if (sessionId !== null) statements.run(forgetSession, sessionId, process)
          }),
        )
      // Nobody waits for it when a session ends. After the end of the agent, there is no later.
      if (sessionId === null) void emptyLog(journal)
      else setTimeout(() => void emptyLog(journal), settleMs).unref()
    },
  }
}

const rowSchema = z.object({
  agent: z.string(),
  process: z.string(),
  sessionId: z.string().nullable(),
  sessionTitle: z.string().nullable(),
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse', 'acp']),
  origin: z.string(),
  identity: z.string().nullable(),
  status: z.enum(['connecting', 'connected', 'error', 'disconnected'] satisfies McpStatus['state'][]),
  reason: z.string().nullable(),
  needsLogin: z.number(),
  tools: z.number(),
  prompts: z.number(),
})

const select = `SELECT live_servers.agent, process, session_id AS sessionId, title AS sessionTitle, name, transport, origin, identity, status, reason, needs_login AS needsLogin,
  tools, prompts FROM live_servers LEFT JOIN sessions ON sessions.id = session_id ORDER BY session_id IS NOT NULL, session_id, name`

export function listLiveServers(statements: Statements): readonly LiveServer[] {
  const fates = new Map<string, boolean>()
  const isLiving = (process: string) => {
    const known = fates.get(process) ?? fateOf(process) !== 'ended'
    fates.set(process, known)
    return known
  }
  return toValid(rowSchema, statements.all(select)).flatMap(
    ({ process, identity, reason, needsLogin, ...server }): LiveServer[] => {
      if (!isLiving(process)) return []
      return [
        {
          ...server,
          owner: server.sessionId === null ? 'agent' : 'session',
          ...(identity !== null && { identity }),
          ...(reason !== null && { reason }),
          ...(needsLogin === 1 && { needsLogin: true }),
        },
      ]
    },
  )
}

export function isSessionOpen(statements: Statements, sessionId: SessionId): boolean {
  return statements
    .all('SELECT process FROM open_sessions WHERE session_id = ?', sessionId)
    .some(({ process }) => fateOf(String(process)) !== 'ended')
}

export function listOpenSessions(statements: Statements): readonly SessionId[] {
  const rows = statements.all('SELECT session_id AS id, process FROM open_sessions ORDER BY session_id')
  return [
    ...new Set(rows.filter(({ process }) => fateOf(String(process)) !== 'ended').map(({ id }) => String(id))),
  ]
}

/** Removes the rows of processes that were killed, with their questions. Returns true if there were any. */
export function sweepLiveServers(statements: Statements): boolean {
  const processes = statements.all(
    'SELECT process FROM live_servers UNION SELECT process FROM open_sessions UNION SELECT process FROM questions',
  )
  const ended = processes
    .map(({ process }) => String(process))
    .filter((process) => fateOf(process) === 'ended')
  if (ended.length === 0) return false
  securelyDeleting(statements, () => {
    for (const table of ['live_servers', 'open_sessions', 'questions'])
      for (const process of ended) statements.run(`DELETE FROM ${table} WHERE process = ?`, process)
  })
  return true
}

/** Deletes in one transaction, and overwrites deleted data in the file. Otherwise it would stay there until its space is reused. */
export function securelyDeleting<T>(statements: Statements, work: () => T): T {
  const { database } = statements
  database.exec('PRAGMA secure_delete = ON')
  try {
    return statements.transaction(work)
  } finally {
    if (database.isOpen) database.exec('PRAGMA secure_delete = OFF')
  }
}

const emptyLogTries = 8
const emptyLogEveryMs = 200

/** Deleted rows also remain in the write-ahead log until it is truncated. That is possible while no other process reads. */
export async function emptyLog({ tryChange }: Pick<Journal, 'tryChange'>): Promise<void> {
  for (let tries = 0; tries < emptyLogTries; tries++) {
    if (tryChange((statements) => statements.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy']) === 0) return
    await delay(emptyLogEveryMs, undefined, { ref: false })
  }
}
