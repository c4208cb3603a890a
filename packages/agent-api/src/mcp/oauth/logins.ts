import { existsSync } from 'node:fs'
import type { DpopSession } from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { quoteWord } from '../../base/quote-word.ts'
import { defaultTiming, type Timing } from '../../base/timing.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import type { HttpServerConfig } from '../server-config.ts'
import type { RequestLogin } from '../transports/http-transport.ts'
import type { DpopKey } from './dpop.ts'
import { hasOwnAuth } from './oauth-settings.ts'
import type { LogInRequest, LogInOptions } from './log-in.ts'
import { loginUrl } from '../../base/login-key.ts'
import { currentLoginId, parseMarker, readMarkerText, removeMarker, writeMarker } from './login-marker.ts'
import type { Login } from './login-store.ts'
import { coversScopes, unionOfScopes } from './scopes.ts'

/** The user's logins, shared by all connections of a process. Loads nothing until a server needs one. */
export interface Logins {
  /** Undefined for a server with configured credentials. `name` is what a person would log in to; defaults to the URL. */
  of(config: HttpServerConfig, name: string | undefined): ServerLogin | undefined
  /** The id of the login that `of` would use now. */
  idOf(config: HttpServerConfig): string | undefined
  /** Logs a person in. Throws `login.*`, or `secrets.*` if the login cannot be stored. */
  logIn(
    config: LogInRequest['config'],
    options: Pick<LogInOptions, 'show' | 'scope'>,
    signal: AbortSignal,
  ): Promise<void>
  /** Settles once no renewal is running, so that no new token is lost. */
  settled(): Promise<void>
}

export interface ServerLogin extends RequestLogin {
  /** Creates the error that asks for a login. `scope` is the additional scope that the server requires. */
  needed(scope?: string): OstlerError
  /** Call when the server has accepted a request. */
  accepted(): Promise<void>
  /** Calls the listener when a login replaces a rejected one, in any process. Returns a function that stops it. */
  onNews(listener: () => void): () => void
}

interface LoginsOptions {
  readonly stateDir: string
  readonly timing?: Pick<Timing, 'loginCheckMs'>
  readonly redactor: Redactor
  readonly logger: Logger
  /** The store for a new login. By default, the best one. */
  readonly prefer?: () => SecretStoreKind | undefined
}

const scopeLengthMax = 1_000

export const loadLogIn = () => import('./log-in.ts')
export const loadLogOut = () => import('./log-out.ts')

export function createLogins(options: LoginsOptions): Logins {
  const shared = new Map<string, ReturnType<typeof createSharedLogin>>()
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
    idOf: (config) =>
      hasOwnAuth(config) || !URL.canParse(config.url)
        ? undefined
        : currentLoginId(options.stateDir, config.url),
    async logIn(config, how, signal) {
      const [{ logIn }, { openRedirectListener }] = await Promise.all([
        loadLogIn(),
        import('./redirect-listener.ts'),
      ])
      await logIn(
        { ...options, prefer: options.prefer?.(), ...how, config, listen: () => openRedirectListener(0) },
        signal,
      )
      // The next request uses it.
      await sharedOf(loginUrl(config.url)).look(true)
    },
    async settled() {
      await Promise.all([...shared.values()].map((login) => login.settled()))
    },
  }
}

/** The login of one server, shared by all its connections in this process. */
function createSharedLogin(
  url: string,
  { stateDir, redactor, logger, timing = defaultTiming }: LoginsOptions,
) {
  let login: Login | undefined
  let seen: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<Login | undefined> | undefined
  let renewing: Promise<Login | undefined> | undefined

  async function lookNow(): Promise<Login | undefined> {
    const text = await readMarkerText(stateDir, url)
    if (text !== seen) {
      const marker = parseMarker(text)
      login =
        marker?.state === 'done'
          ? await (await import('./login-store.ts')).readLogin(url, { stateDir, redactor })
          : undefined
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
    /** The current login. Checked again if the last check was a while ago, or if `isUrgent`. Throws `secrets.*`. */
    async look(isUrgent = false): Promise<Login | undefined> {
      await renewing?.catch(() => undefined)
      if (!isUrgent && performance.now() - lookedAt < timing.loginCheckMs) return login
      looking ??= lookNow().finally(() => (looking = undefined))
      return looking
    },
    renew(spent: string): Promise<Login | undefined> {
      if (login?.tokens !== undefined && login.tokens.access !== spent) return Promise.resolve(login)
      renewing ??= renewNow(spent).finally(() => (renewing = undefined))
      return renewing
    },
    /** The revision of the login that `look` returned last. */
    get revision(): string | undefined {
      return seen
    },
    /** True if the login has changed since that revision. */
    hasChanged: async (since: string | undefined) => (await readMarkerText(stateDir, url)) !== since,
    async settled(): Promise<void> {
      await renewing?.catch(() => undefined)
    },
  }
}

function createServerLogin(
  url: string,
  name: string | undefined,
  shared: ReturnType<typeof createSharedLogin>,
  { stateDir, timing = defaultTiming }: LoginsOptions,
): ServerLogin {
  let session: { readonly key: DpopKey; readonly opened: Promise<DpopSession> } | undefined
  let used: string | undefined
  let sent: string | undefined
  let granted: string | undefined

  async function token(): Promise<string | undefined> {
    let tokens = (await shared.look())?.tokens
    used = shared.revision
    if (tokens?.renewAt !== undefined && tokens.renewAt < Date.now() && tokens.refresh !== undefined) {
      const isOver = (tokens.expiresAt ?? 0) <= Date.now()
      const renewed = shared.renew(tokens.access)
      tokens = (isOver ? await renewed : await renewed.catch(() => ({ tokens })))?.tokens
    }
    sent = tokens?.access
    granted = tokens?.scope
    return sent
  }

  /** Obtains a token other than the rejected one, or throws the error that asks for a login. */
  async function onUnauthorized(): Promise<void> {
    const refused = sent
    const login = await shared.look(true)
    used = shared.revision
    if (
      login?.tokens === undefined ||
      (login.tokens.access === refused && (await shared.renew(refused)) === undefined)
    ) {
      await noteNeeded()
      used = shared.revision
      throw needed()
    }
  }

  /** Records that a login is needed. Not for the editor's servers, which are never written to disk. Does not create a state directory. */
  async function noteNeeded(): Promise<void> {
    if (name === undefined || !existsSync(stateDir) || (await readMarkerText(stateDir, url)) !== undefined)
      return
    await writeMarker(stateDir, url, { state: 'needed' }).catch(() => undefined)
    await shared.look(true)
  }

  function needed(scope?: string): OstlerError {
    const command = `ostler mcp login ${quoteWord(name ?? url)}`
    if (scope === undefined) return new OstlerError('mcp.needs_login', `It needs a login. Run: ${command}`)
    // Another login would change nothing.
    if (coversScopes(granted, scope))
      return new OstlerError(
        'mcp.needs_authorization',
        `the server refuses this, although the login has the permission it asks for: ${scope}`,
      )
    // A new login replaces the old one, so request the old scopes as well.
    const wanted = unionOfScopes(granted, scope)
    // The scope comes from the server, and a person may copy the command. So only characters without meaning to a shell are included.
    const isPlain = wanted.length <= scopeLengthMax && /^[\w:./+-]+(?: [\w:./+-]+)*$/.test(wanted)
    return new OstlerError(
      'mcp.needs_scope',
      `It needs a login with more permissions. Run: ${command}${isPlain ? ` --scope '${wanted}'` : ''}`,
      isPlain ? { data: { scope: wanted } } : {},
    )
  }

  async function proofs(): Promise<DpopSession | undefined> {
    const key = (await shared.look())?.dpopKey
    if (key === undefined) return undefined
    if (session?.key.d !== key.d)
      session = { key, opened: import('./dpop.ts').then(({ openDpopSession }) => openDpopSession(key)) }
    return session?.opened
  }

  return {
    auth: { token, onUnauthorized },
    proofs,
    needed,
    async accepted() {
      const marker = parseMarker(await readMarkerText(stateDir, url))
      if (sent === undefined && marker?.state === 'needed' && marker.store === undefined)
        await removeMarker(stateDir, url).catch(() => {})
    },
    onNews(listener) {
      // Compared with what this connection used, because another connection may have noticed the change first.
      const timer = setInterval(
        () => void shared.hasChanged(used).then((isNew) => isNew && listener()),
        timing.loginCheckMs,
      ).unref()
      return () => clearInterval(timer)
    },
  }
}
