import { existsSync } from 'node:fs'
import type { AuthProvider } from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { quoteWord } from '../../base/quote-word.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { HttpServerConfig } from '../server-config.ts'
import { hasOwnAuth } from './has-own-auth.ts'
import { loginUrl } from './login-key.ts'
import { parseMarker, readMarkerText, removeMarker, writeMarker } from './login-marker.ts'
import type { Login } from './login-store.ts'

/** The logins of this user, for all connections of a process. Nothing is loaded for them until a server has one. */
export interface Logins {
  /** Undefined for a server that is shown who we are by its configuration. `name` is what a person would log in to; its URL when unset. */
  of(config: HttpServerConfig, name: string | undefined): ServerLogin | undefined
  /** Settles when nothing is being renewed any more: a token that was exchanged for another must not be lost. */
  settled(): Promise<void>
}

/** The login of one connection's server. */
export interface ServerLogin {
  readonly auth: Required<AuthProvider>
  /** Why the server cannot be used, and what to do about it. `scope` is what it wants beyond what it was given. */
  needed(scope?: string): OstlerError
  /** The server took what it was sent. */
  accepted(): Promise<void>
  /** Calls back when there is another login than the one that was refused, whichever process it comes from. Returns the way to stop it. */
  onNews(listener: () => void): () => void
}

export interface LoginsOptions {
  readonly stateDir: string
  readonly redactor: Redactor
  readonly logger: Logger
}

/** How often at most, and while one is waited for how often, it is looked whether another process has changed a login. */
const lookEveryMs = 1_000

export function createLogins(options: LoginsOptions): Logins {
  const shared = new Map<string, SharedLogin>()
  const sharedOf = (url: string) => {
    const known = shared.get(url) ?? createSharedLogin(url, options)
    shared.set(url, known)
    return known
  }
  return {
    of(config, name) {
      if (hasOwnAuth(config) || !URL.canParse(config.url)) return undefined
      const url = loginUrl(config.url)
      return createServerLogin(url, name, sharedOf(url), options)
    },
    async settled() {
      await Promise.all([...shared.values()].map((login) => login.settled()))
    },
  }
}

/** What all connections of a process to one server know of its login. */
interface SharedLogin {
  /** As it is now; looked at anew when the last look was a while ago, or `isUrgent`. Throws `secrets.*`. */
  look(isUrgent?: boolean): Promise<Login | undefined>
  renew(spent: string): Promise<Login | undefined>
  /** Whether there is another one than was looked at last. */
  hasChanged(): Promise<boolean>
  settled(): Promise<void>
}

function createSharedLogin(url: string, { stateDir, redactor, logger }: LoginsOptions): SharedLogin {
  let login: Login | undefined
  let seen: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<Login | undefined> | undefined
  let renewing: Promise<Login | undefined> | undefined

  async function lookNow(): Promise<Login | undefined> {
    const text = await readMarkerText(stateDir, url)
    if (text !== seen) {
      const marker = parseMarker(text)
      login = marker?.state === 'done' ? await (await import('./login-store.ts')).readLogin(url, { stateDir, redactor }) : undefined
      seen = text
    }
    lookedAt = performance.now()
    return login
  }

  async function renewNow(spent: string): Promise<Login | undefined> {
    const { renewLogin } = await import('./renew-login.ts')
    login = await renewLogin({ url, spent, stateDir, redactor, logger })
    seen = await readMarkerText(stateDir, url)
    return login
  }

  return {
    async look(isUrgent = false) {
      await renewing?.catch(() => undefined)
      if (!isUrgent && performance.now() - lookedAt < lookEveryMs) return login
      looking ??= lookNow().finally(() => (looking = undefined))
      return looking
    },
    renew(spent) {
      if (login?.tokens !== undefined && login.tokens.access !== spent) return Promise.resolve(login)
      renewing ??= renewNow(spent).finally(() => (renewing = undefined))
      return renewing
    },
    hasChanged: async () => (await readMarkerText(stateDir, url)) !== seen,
    async settled() {
      await renewing?.catch(() => undefined)
    },
  }
}

function createServerLogin(url: string, name: string | undefined, shared: SharedLogin, { stateDir }: LoginsOptions): ServerLogin {
  let sent: string | undefined

  async function token(): Promise<string | undefined> {
    let tokens = (await shared.look())?.tokens
    if (tokens?.renewAt !== undefined && tokens.renewAt < Date.now() && tokens.refresh !== undefined) {
      const isOver = (tokens.expiresAt ?? 0) <= Date.now()
      const renewed = shared.renew(tokens.access)
      tokens = (isOver ? await renewed : await renewed.catch(() => ({ tokens })))?.tokens
    }
    sent = tokens?.access
    return sent
  }

  /** Another token than the one that was refused, or the error that says what to do. */
  async function onUnauthorized(): Promise<void> {
    const refused = sent
    const login = await shared.look(true)
    if (login?.tokens === undefined || (login.tokens.access === refused && (await shared.renew(refused)) === undefined)) {
      await noteNeeded()
      throw needed()
    }
  }

  /** Not for an editor's server: those are written nowhere. And to look creates no state. */
  async function noteNeeded(): Promise<void> {
    if (name === undefined || !existsSync(stateDir) || (await readMarkerText(stateDir, url)) !== undefined) return
    await writeMarker(stateDir, url, { state: 'needed' }).catch(() => undefined)
    await shared.look(true)
  }

  function needed(scope?: string): OstlerError {
    const command = `ostler mcp login ${quoteWord(name ?? url)}`
    // A server's words in a line that somebody may copy: only what a shell takes for nothing else.
    const isPlain = scope !== undefined && /^[\w:./+-]+(?: [\w:./+-]+)*$/.test(scope)
    if (scope === undefined) return new OstlerError('mcp.needs_login', `It needs a login. Run: ${command}`)
    return new OstlerError('mcp.needs_scope', `It needs a login that allows more. Run: ${command}${isPlain ? ` --scope '${scope}'` : ''}`)
  }

  return {
    auth: { token, onUnauthorized },
    needed,
    async accepted() {
      const marker = parseMarker(await readMarkerText(stateDir, url))
      if (sent === undefined && marker?.state === 'needed' && marker.store === undefined) await removeMarker(stateDir, url).catch(() => {})
    },
    onNews(listener) {
      const timer = setInterval(() => void shared.hasChanged().then((isNew) => isNew && listener()), lookEveryMs).unref()
      return () => clearInterval(timer)
    },
  }
}
