import { messageOf, OstlerError } from '../base/errors.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { OfferLogin } from './chat-session.ts'
import { enabledClients, type SessionState } from './session-state.ts'

/** Offers the logins that a session's servers need. Nothing waits for them. */
export interface LoginOffers extends Disposable {
  /** Call when a server may need a login. */
  look(): void
}

/** A server whose login ends again and again is offered this often in one session. */
const offersPerServerMax = 3

export function createLoginOffers(state: SessionState, offerLogin: OfferLogin): LoginOffers {
  const { logins, openLoginOffers: open, logger } = state.agent
  const lifetime = new AbortController()
  const counts = new Map<string, number>()

  async function offer(client: McpClient): Promise<void> {
    const { config, name } = client
    if (logins === undefined || !('url' in config)) return
    const { oauth } = config
    const server = { type: config.type, url: config.url, headers: config.headers, ...(oauth?.type === 'oauth' && { oauth }) }
    const stop = new AbortController()
    const signal = AbortSignal.any([lifetime.signal, stop.signal])
    const show = (url: string) => {
      offerLogin({ server: name, url }, signal).then(
        ({ action }) => action === 'accept' || stop.abort(declined()),
        (error: unknown) => stop.abort(error),
      )
    }
    const scope = scopeOf(client)
    await logins.logIn(server, { show, ...(scope !== undefined && { scope }) }, signal)
    // The question may still be open in an editor that waits for the person.
    stop.abort(declined())
    await client.reconnect()
  }

  return {
    look() {
      for (const client of enabledClients(state).values()) {
        const { config, name, status } = client
        if (status.state !== 'error' || status.needsLogin !== true || !('url' in config)) continue
        const count = counts.get(name) ?? 0
        if (count >= offersPerServerMax || open.has(config.url)) continue
        counts.set(name, count + 1)
        open.add(config.url)
        offer(client)
          .catch((error: unknown) => {
            // The report already says how to log in.
            counts.set(name, offersPerServerMax)
            logger.info(`MCP server ${name}: it was not logged in to`, { error: messageOf(error) })
          })
          .finally(() => open.delete(config.url))
      }
    },
    [Symbol.dispose]: () => lifetime.abort(declined()),
  }
}

function declined(): OstlerError {
  return new OstlerError('login.declined', 'The login was not wanted.')
}

/** The scopes that the server asked for, with those that the login had. */
function scopeOf({ failure }: McpClient): string | undefined {
  const scope = failure?.data['scope']
  return typeof scope === 'string' ? scope : undefined
}
