import { z } from 'zod'
import type { SessionId } from '../../base/ids.ts'
import type { Journal } from '../db/journal.ts'
import { readLastEnd, type ProcessEnd } from './process-ends.ts'
import type { ToolSize } from '../../messages/tool-size.ts'
import type { McpStatus } from '../../mcp/mcp-client.ts'
import { emptyLog, securelyDeleting } from '../db/secure-delete.ts'
import { hasEnded } from './process-mark.ts'
import { parseJson, type Statements, toValid } from '../db/statements.ts'

/** The servers and sessions that running processes have open, and how the last process ended. */
export interface Presence {
  /** Publishes that a session is open, and its servers; or the servers of an agent. */
  note(options: LiveServersOptions): LiveServersNote
  servers(): readonly LiveServer[]
  openSessions(): readonly SessionId[]
  isSessionOpen(id: SessionId): boolean
  lastEnd(): ProcessEnd | undefined
}

export function createPresence(journal: Journal, process: string): Presence {
  const { read } = journal
  return {
    note: (options) => noteLiveServers(journal, process, options),
    servers: () => read(listLiveServers),
    openSessions: () => read(listOpenSessions),
    isSessionOpen: (id) => read((statements) => isSessionOpen(statements, id)),
    lastEnd: () => read(readLastEnd),
  }
}

/** Information on a server in use, for other processes. It is not enough to start or reach the server. */
export interface LiveServerState {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'sse' | 'acp'
  /** Without secrets. */
  readonly origin: string
  /** The hash under which its tools are remembered. */
  readonly identity?: string
  readonly status: McpStatus['state']
  readonly reason?: string
  readonly needsLogin?: true
  readonly tools: number
  readonly prompts: number
  /** Of the tools that the last request of the session had. Undefined before its first. */
  readonly sizes?: readonly ToolSize[]
}

export interface LiveServer extends LiveServerState {
  readonly agent: string
  /** Null for a server of the agent, which its sessions share. */
  readonly sessionId: SessionId | null
  readonly sessionTitle: string | null
  readonly owner: 'agent' | 'session'
}

interface LiveServersNote extends Disposable {
  /** Call when the servers may have changed. Written after a delay, so that a connecting server causes one write instead of ten. */
  changed(): void
}

interface LiveServersOptions {
  readonly agent: string
  readonly sessionId: SessionId | null
  readonly look: () => readonly LiveServerState[]
}

const settleMs = 150

const insert = `INSERT INTO live_servers (process, agent, session_id, name, transport, origin, identity, status, reason, needs_login, tools, prompts, sizes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const forget = 'DELETE FROM live_servers WHERE process = ? AND session_id IS ?'
const insertSession = 'INSERT OR IGNORE INTO open_sessions (session_id, process) VALUES (?, ?)'
const forgetSession = 'DELETE FROM open_sessions WHERE session_id = ? AND process = ?'

function noteLiveServers(
  journal: Journal,
  process: string,
  { agent, sessionId, look }: LiveServersOptions,
): LiveServersNote {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** A session is written even without servers. */
  const nothing = sessionId === null ? '[]' : ''
  /** The last written state, and the database it was written to. */
  let written = { text: nothing, generation: journal.generation }

  function write(): void {
    timer = undefined
    const servers = look()
    const now = { text: JSON.stringify(servers), generation: journal.generation }
    if (now.text === written.text && now.generation === written.generation) return
    written = now
    replaceRows(servers, insertSession)
  }

  function replaceRows(servers: readonly LiveServerState[], changeSession: string): void {
    journal.write((statements) =>
      securelyDeleting(statements, () => {
        statements.run(forget, process, sessionId)
        if (sessionId !== null) statements.run(changeSession, sessionId, process)
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
          sizes,
        } of servers) {
          const state = [identity, status, reason, Number(needsLogin), tools, prompts] as const
          const text = sizes === undefined ? null : JSON.stringify(sizes)
          statements.run(insert, process, agent, sessionId, name, transport, origin, ...state, text)
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
      if (written.text !== nothing) replaceRows([], forgetSession)
      // After a session, this can run later. The end of the agent leaves no time for that.
      if (sessionId === null) void emptyLog(journal)
      else setTimeout(() => void emptyLog(journal), settleMs).unref()
    },
  }
}

const rowSchema = z.object({
  agent: z.string(),
  sessionId: z.string().nullable(),
  sessionTitle: z.string().nullable(),
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse', 'acp']),
  origin: z.string(),
  identity: z.string().nullable(),
  status: z.enum(['idle', 'connecting', 'connected', 'error', 'disconnected'] satisfies McpStatus['state'][]),
  reason: z.string().nullable(),
  needsLogin: z.number(),
  tools: z.number(),
  prompts: z.number(),
  sizes: z
    .string()
    .transform(parseJson)
    .pipe(z.array(z.object({ tool: z.string(), sent: z.number(), saved: z.number() })))
    .nullable(),
})

const select = `SELECT live_servers.agent, process, session_id AS sessionId, title AS sessionTitle, name, transport, origin, identity, status, reason, needs_login AS needsLogin,
  tools, prompts, sizes FROM live_servers LEFT JOIN sessions ON sessions.id = session_id ORDER BY session_id IS NOT NULL, session_id, name`

export function listLiveServers(statements: Statements): readonly LiveServer[] {
  const rows = statements.all(select)
  const processes = [...new Set(rows.map(({ process }) => process))]
  const ended = new Set(processes.filter((process) => hasEnded({ process })))
  return toValid(
    rowSchema,
    rows.filter(({ process }) => !ended.has(process)),
  ).map(({ identity, reason, needsLogin, sizes, ...server }): LiveServer => ({
    ...server,
    owner: server.sessionId === null ? 'agent' : 'session',
    ...(identity !== null && { identity }),
    ...(reason !== null && { reason }),
    ...(needsLogin === 1 && { needsLogin: true }),
    ...(sizes !== null && { sizes }),
  }))
}

export function isSessionOpen(statements: Statements, sessionId: SessionId): boolean {
  return statements
    .all('SELECT process FROM open_sessions WHERE session_id = ?', sessionId)
    .some((row) => !hasEnded(row))
}

export function listOpenSessions(statements: Statements): readonly SessionId[] {
  const rows = statements.all('SELECT session_id AS id, process FROM open_sessions ORDER BY session_id')
  return [...new Set(rows.filter((row) => !hasEnded(row)).map(({ id }) => String(id)))]
}
