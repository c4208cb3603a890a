import { OstlerError } from '../base/errors.ts'
import { type Logger, createWarnOnce } from '../base/logger.ts'
import type { ElicitMode, McpHost } from '../mcp/mcp-client.ts'

/** The part of a session that answers its servers. */
export type AskedSession = Pick<
  McpHost,
  'elicit' | 'elicitModes' | 'onElicited' | 'onDeclined' | 'sample' | 'askHost'
>

/** The requests of servers that an agent's sessions share. Each goes to the session whose call is open. */
export interface SharedQuestions {
  readonly host: AskedSession
  /** The session is told of requests that belong to no call. */
  join(session: AskedSession): Disposable
  /** A call of the session to this server is open until it is disposed. */
  begin(server: string, session: AskedSession): Disposable
}

const outsideText = 'outside a call, so it was declined'
const severalText = 'while several conversations used it, so it was cancelled'

/** The kinds of questions that the person can be asked in every session. They are read when a server connects. */
export type ElicitModes = () => readonly ElicitMode[]

export function createSharedQuestions(elicitModes: ElicitModes, logger: Logger): SharedQuestions {
  const sessions = new Set<AskedSession>()
  const calls = new Set<{ readonly server: string; readonly session: AskedSession }>()
  const warn = createWarnOnce(logger)

  /** The session that the request belongs to. Otherwise, the people who may have caused it learn why nobody was asked. */
  function sessionOf(asked: {
    readonly server: string
    readonly message: string
    readonly url?: string
  }): AskedSession | 'none' | 'several' {
    const { server } = asked
    const callers = new Set([...calls].filter((call) => call.server === server).map(({ session }) => session))
    const [caller] = callers
    if (caller !== undefined && callers.size === 1) return caller
    const why = caller === undefined ? outsideText : severalText
    warn(`MCP server ${server} asked a question ${why}.`)
    for (const session of caller === undefined ? sessions : callers) session.onDeclined?.({ ...asked, why })
    return caller === undefined ? 'none' : 'several'
  }

  return {
    host: {
      get elicitModes() {
        return elicitModes()
      },
      async elicit(request, signal) {
        const session = sessionOf(request)
        if (typeof session === 'string') return { verdict: session === 'none' ? 'deny' : 'cancelled' }
        return session.elicit?.(request, signal) ?? { verdict: 'cancelled' }
      },
      onDeclined(question) {
        const session = sessionOf(question)
        if (typeof session !== 'string') session.onDeclined?.(question)
      },
      async sample(request, signal) {
        const session = sessionOf({ server: request.server, message: 'May it use your model?' })
        if (typeof session === 'string' || session.sample === undefined)
          throw new OstlerError('mcp.no_turn', 'The request does not belong to the call of one conversation.')
        return session.sample(request, signal)
      },
      async askHost(asked, signal) {
        const session = sessionOf({ server: asked.server.name, message: `May it connect to ${asked.host}?` })
        return typeof session !== 'string' && (await session.askHost?.(asked, signal)) === true
      },
      onElicited(id) {
        for (const session of sessions) session.onElicited?.(id)
      },
    },
    join: (session) => added(sessions, session),
    begin: (server, session) => added(calls, { server, session }),
  }
}

function added<T>(set: Set<T>, value: T): Disposable {
  set.add(value)
  return { [Symbol.dispose]: () => void set.delete(value) }
}
