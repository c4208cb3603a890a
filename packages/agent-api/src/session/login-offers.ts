import { messageOf, OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import { loginHash } from '../base/login-key.ts'
import type { Ask } from '../policy/question.ts'
import type { SharedPerson } from './person.ts'

export interface LoginOffers extends Disposable {
  /** Nothing waits for it. */
  look(clients: Iterable<McpClient>): void
  /** False if the person did not log in. */
  offerScope(client: McpClient, scope: string, signal: AbortSignal): Promise<boolean>
}

/** Number of offers per session for a server whose login keeps ending. */
const offersPerServerMax = 3

export function createLoginOffers(
  { logins, openLoginOffers: open }: SharedPerson,
  ask: Ask,
  logger: Logger,
): LoginOffers {
  const lifetime = new AbortController()
  const counts = new Map<string, number>()

  async function offer(
    { config, name }: McpClient,
    how: { readonly scope?: string; readonly forCall?: boolean },
    signal: AbortSignal,
  ) {
    if (logins === undefined || !('url' in config)) return
    const { oauth } = config
    const { scope, forCall = false } = how
    const server = {
      type: config.type,
      url: config.url,
      headers: config.headers,
      ...(oauth?.type === 'oauth' && { oauth }),
    }
    const stop = new AbortController()
    const until = AbortSignal.any([signal, stop.signal])
    const show = (url: string) => {
      ask(
        {
          kind: 'login',
          server: name,
          url,
          login: loginHash(config.url),
          scope: forCall ? scope : undefined,
        },
        until,
      ).then(
        ({ verdict }) => verdict === 'allow' || stop.abort(declined()),
        (error: unknown) => stop.abort(error),
      )
    }
    await logins.logIn(server, { show, scope }, until)
    // The question may still be open in an editor that waits for the person.
    stop.abort(declined())
  }

  /** The person may log in somewhere else: in the console, on the command line, or in another agent. */
  async function offerUntilConnected(client: McpClient): Promise<void> {
    const connected = new AbortController()
    const stop = client.onChange(() => client.status.state === 'connected' && connected.abort(declined()))
    try {
      await offer(client, scopeOf(client), AbortSignal.any([lifetime.signal, connected.signal]))
      await client.reconnect()
    } catch (error) {
      if (!connected.signal.aborted) throw error
    } finally {
      stop()
    }
  }

  /** Waits for an offer that is open. False if the person did not log in. */
  async function offerOnce(client: McpClient, run: () => Promise<void>): Promise<boolean> {
    const { config, name } = client
    if (logins === undefined || !('url' in config)) return false
    const { url } = config
    const other = open.get(url)
    if (other !== undefined) return other
    const count = counts.get(name) ?? 0
    if (count >= offersPerServerMax) return false
    counts.set(name, count + 1)
    const running = run().then(
      () => true,
      (error: unknown) => {
        // The report, or the result of the call, says how to log in.
        counts.set(name, offersPerServerMax)
        logger.info(`MCP server ${name}: it was not logged in to`, { error: messageOf(error) })
        return false
      },
    )
    open.set(url, running)
    return running.finally(() => open.delete(url))
  }

  return {
    look(clients) {
      for (const client of clients) {
        const { status } = client
        if (status.state !== 'error' || status.needsLogin !== true) continue
        void offerOnce(client, () => offerUntilConnected(client))
      }
    },
    offerScope: (client, scope, signal) =>
      offerOnce(client, () =>
        offer(client, { scope, forCall: true }, AbortSignal.any([lifetime.signal, signal])),
      ),
    [Symbol.dispose]: () => lifetime.abort(declined()),
  }
}

function declined(): OstlerError {
  return new OstlerError('login.declined', 'The login was declined.')
}

function scopeOf({ failure }: McpClient): { readonly scope?: string } {
  const scope = failure?.data['scope']
  return typeof scope === 'string' ? { scope } : {}
}
