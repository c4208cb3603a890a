import { OstlerError } from '@ostler/agent-api'
import { onAbort, type SessionId } from '@ostler/agent-api/internal'
import { setImmediate as nextTask } from 'node:timers/promises'
import type { AcpSession } from './acp-session.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Number of closed session ids to remember, so that closing a session twice is not an error. */
const closedMax = 1_000

/** The sessions of one connection. The only place that finds a session by its id. */
export interface SessionRegistry extends AsyncDisposable {
  add(session: AcpSession): void
  /**
   * Opens a stored session. Operations on one id run one at a time: an open session of this id, or another opening, ends first. The session
   * can be found once it is filled.
   */
  reopen(id: SessionId, steps: ReopenSteps, signal: AbortSignal): Promise<AcpSession>
  /** Throws `acp.unknown_session`, or `session.busy` while the session is being opened. Marks the session as known to the editor. */
  get(id: SessionId): AcpSession
  find(id: SessionId): AcpSession | undefined
  /**
   * Ends a session, even while it is being opened. Ending it again waits for the same end. False if it never existed. `afterwards` runs
   * before any later operation on this id.
   */
  end(id: SessionId, afterwards?: () => Promise<void>): Promise<boolean>
  /** Settles once every open session has reported why the agent ends. */
  failureTold(): Promise<void>
}

export interface ReopenSteps {
  /** Throws if the session cannot be opened. An open session with this id then stays open. */
  check(): Promise<void>
  /** Called after the open session with this id, if any, has ended. */
  open(): Promise<AcpSession>
  /** The signal aborts when the session is no longer wanted. */
  fill(session: AcpSession, signal: AbortSignal): Promise<void>
}

export function createSessionRegistry(): SessionRegistry {
  const open = new Map<SessionId, AcpSession>()
  const ending = new Map<SessionId, Promise<void>>()
  const queue = createKeyedQueue()
  const closed = new Set<SessionId>()
  let disposed = false

  const registry: SessionRegistry = {
    add(session) {
      open.set(session.id, session)
      // The editor disconnected while the session was being opened.
      if (disposed) void registry.end(session.id)
    },
    reopen: (id, steps, signal) =>
      queue.addStoppable(id, async (stopped) => {
        const stop = AbortSignal.any([signal, stopped])
        stop.throwIfAborted()
        await steps.check()
        beginEnd(id)
        await ending.get(id)
        // The answer to the cancelled prompt is sent first.
        await nextTask()
        stop.throwIfAborted()
        const session = await steps.open()
        await fillOrEnd(session, steps.fill, stop, () => open.set(id, session))
        return session
      }),
    get(id) {
      const session = registry.find(id)
      session?.quiet.end()
      if (session !== undefined) return session
      if (queue.isStoppable(id))
        throw new OstlerError('session.busy', 'The session is still being opened. Wait for it.')
      throw unknownSession(id)
    },
    find(id) {
      const session = open.get(id)
      session?.markKnown()
      return session
    },
    end(id, afterwards) {
      if (queue.stop(id, closedError(id)) || open.has(id)) noteClosed(id)
      beginEnd(id)
      return queue.add(id, async () => {
        await ending.get(id)
        await afterwards?.()
        return closed.has(id)
      })
    },
    async failureTold() {
      await Promise.all([...open.values()].map((session) => session.failureTold()))
    },
    async [Symbol.asyncDispose]() {
      disposed = true
      queue.close(closedError)
      await Promise.all([...open.keys()].map((id) => registry.end(id)))
      await Promise.all([...ending.values(), queue.settled()])
    },
  }
  return registry

  function beginEnd(id: SessionId): void {
    const session = open.get(id)
    if (session === undefined) return
    open.delete(id)
    ending.set(id, endSession(session))
  }

  function noteClosed(id: SessionId): void {
    closed.add(id)
    for (const oldest of closed) if (closed.size > closedMax) closed.delete(oldest)
  }

  async function endSession(session: AcpSession): Promise<void> {
    try {
      await session[Symbol.asyncDispose]()
    } finally {
      ending.delete(session.id)
    }
  }
}

export function unknownSession(id: SessionId): OstlerError {
  return new OstlerError('acp.unknown_session', 'There is no such session', { data: { sessionId: id } })
}

/** Calls `onFilled` synchronously after the last check that the session is still wanted. */
async function fillOrEnd(
  session: AcpSession,
  fill: ReopenSteps['fill'],
  signal: AbortSignal,
  onFilled: () => void,
): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  using _aborting = onAbort(signal, () => aborted.reject(signal.reason as Error))
  try {
    // The session may have been closed while it was being loaded.
    signal.throwIfAborted()
    // An editor that does not read must not delay the end of a session that it no longer wants.
    await Promise.race([fill(session, signal), aborted.promise])
    signal.throwIfAborted()
    onFilled()
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

function closedError(id: SessionId): OstlerError {
  return new OstlerError('session.closed', 'The session was closed while it was being opened.', {
    data: { sessionId: id },
  })
}
