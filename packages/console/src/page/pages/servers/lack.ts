import type { LiveServer, ServerView } from '../../../api.ts'

export type Lack =
  | { readonly is: 'login' }
  /** The server rejects the request, or the key in it. */
  | { readonly is: 'key' }
  | { readonly is: 'variables'; readonly names: readonly string[] }

/** A connection that failed. `text` is the reason with the server's last output. */
export interface FailedConnection {
  readonly text: string
  readonly needsLogin?: boolean
  /** True if the server answered that the request is not authenticated. */
  readonly isRefused?: boolean
}

type Server = Pick<ServerView, 'origin' | 'transport' | 'entry'>

export function lackIn(
  server: Server,
  { text, needsLogin = false, isRefused = refusal.test(text) }: FailedConnection,
): Lack | undefined {
  const isStored = server.origin === 'stored'
  if (server.transport === 'stdio') {
    const names = missingVariables(text)
    return isStored && names.length > 0 ? { is: 'variables', names } : undefined
  }
  if (hasOwnKey(server)) return isStored && isRefused ? { is: 'key' } : undefined
  return needsLogin || isRefused ? { is: 'login' } : undefined
}

/** The same for a server in use: this console could not connect it, or an agent could not. */
export function lackOf(
  server: Server & Pick<ServerView, 'status'>,
  used: readonly LiveServer[],
): Lack | undefined {
  const failed = [{ ...server.status, status: server.status.state }, ...used].filter(
    ({ status }) => status === 'error',
  )
  for (const { reason = '', needsLogin } of failed) {
    const lack = lackIn(server, { text: reason, needsLogin })
    if (lack !== undefined) return lack
  }
  return undefined
}

const refusal = /^needs authorization \(HTTP 40[13]\)/

/** A server with its own key does not use a login. */
function hasOwnKey({ entry }: Server): boolean {
  const auth = entry['auth'] as { readonly type?: unknown } | undefined
  return auth !== undefined && ['bearer', 'api-key', 'basic'].includes(String(auth.type))
}

const variable =
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|CREDENTIALS|URL|HOST|USER|USERNAME|ID)\b|\b[A-Z][A-Z0-9]*(?:APIKEY|TOKEN)\b/g
const shownMax = 4

/** The variables that a server names in its last output before it ended. */
function missingVariables(text: string): string[] {
  return [...new Set([...text.matchAll(variable)].map(([name]) => name))].slice(0, shownMax)
}
