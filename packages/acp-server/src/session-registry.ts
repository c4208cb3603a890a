import { OstlerError, type SessionId } from '@ostler/agent-api'
import type { AcpSession } from './acp-session.ts'

/** Ids of closed sessions that are remembered, so that closing twice is no error. */
const closedMax = 1_000

/** The sessions of one connection, the only place that finds one by its id. */
export interface SessionRegistry extends AsyncDisposable {
  add(session: AcpSession): void
  /** Throws `acp.unknown_session`. That the editor asks shows that it knows the session. */
  get(id: SessionId): AcpSession
  find(id: SessionId): AcpSession | undefined
  /** Ends a session and everything of it. Ending it again waits for the same end. False when there never was one. */
  end(id: SessionId): Promise<boolean>
}

export function createSessionRegistry(): SessionRegistry {
  const open = new Map<SessionId, AcpSession>()
  const ending = new Map<SessionId, Promise<void>>()
  const closed = new Set<SessionId>()
  let disposed = false

  const registry: SessionRegistry = {
    add(session) {
      open.set(session.id, session)
      // The editor left while the session was being opened.
      if (disposed) void registry.end(session.id)
    },
    get(id) {
      const session = registry.find(id)
      if (session === undefined) throw new OstlerError('acp.unknown_session', 'There is no such session', { data: { sessionId: id } })
      return session
    },
    find(id) {
      const session = open.get(id)
      session?.markKnown()
      return session
    },
    async end(id) {
      const session = open.get(id)
      if (session !== undefined) {
        open.delete(id)
        closed.add(id)
        for (const oldest of closed) if (closed.size > closedMax) closed.delete(oldest)
        ending.set(id, endSession(session))
      }
      await ending.get(id)
      return closed.has(id)
    },
    async [Symbol.asyncDispose]() {
      disposed = true
      await Promise.all([...open.keys()].map((id) => registry.end(id)))
      await Promise.all(ending.values())
    },
  }
  return registry

  async function endSession(session: AcpSession): Promise<void> {
    try {
      await session[Symbol.asyncDispose]()
    } finally {
      ending.delete(session.id)
    }
  }
}
