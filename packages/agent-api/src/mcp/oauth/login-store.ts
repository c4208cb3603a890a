import { messageOf, OstlerError } from '../../base/errors.ts'
import { openSecretStore } from '../../secret-store/open-secret-store.ts'
import { addIssued } from '../../redaction/issued-secret.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { SecretStore, SecretStoreKind } from '../../secret-store/secret-store.ts'
import type { DpopKey } from './dpop.ts'
import { loginHash, loginUrl } from '../../base/login-key.ts'
import { parseMarker, readMarkerText, removeMarker, writeMarker } from './login-marker.ts'

/** Everything needed to use and renew a login. Stored as a single secret. */
export interface Login {
  readonly id?: string
  /** The server of this login. Tokens are sent to no other. */
  readonly url: string
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint?: string
  readonly authMethods?: readonly string[]
  readonly resource?: string
  readonly client: LoginClient
  /** Undefined after they were rejected. The client is kept, because it need not be registered again. */
  readonly tokens?: LoginTokens | undefined
  /** The key to which the tokens are bound, if they are. */
  readonly dpopKey?: DpopKey
}

export interface LoginClient {
  readonly client_id: string
  readonly client_secret?: string
  readonly token_endpoint_auth_method?: string
  /** True if a person named the client; false if it was registered for one login. */
  readonly isGiven: boolean
}

export interface LoginTokens {
  readonly access: string
  readonly refresh?: string
  readonly scope?: string
  /** Time in milliseconds by this machine's clock. */
  readonly expiresAt?: number
  /** Earlier than `expiresAt`, because a request takes time to arrive. */
  readonly renewAt?: number
}

export interface LoginPlace {
  readonly stateDir: string
  readonly redactor: Redactor
}

const nameOf = (url: string) => `oauth/${loginHash(url)}`

/** Undefined if there is no login. Throws `secrets.*` if it cannot be read. */
export async function readLogin(url: string, { stateDir, redactor }: LoginPlace): Promise<Login | undefined> {
  const marker = parseMarker(await readMarkerText(stateDir, url))
  if (marker?.store === undefined) return undefined
  const store = await openSecretStore({ stateDir, only: marker.store })
  const text = await store.get(nameOf(url))
  const login = text === undefined ? undefined : parseLogin(text)
  // A record stored under another server's name must not send its tokens there.
  if (login === undefined || login.url !== loginUrl(url)) return undefined
  knowLogin(login, redactor)
  return login
}

/** Writes a login to its previous store, or else to the best one. Returns the store. */
export async function writeLogin(
  login: Login,
  { stateDir, redactor }: LoginPlace,
  prefer?: SecretStoreKind,
): Promise<SecretStoreKind> {
  knowLogin(login, redactor)
  const before = parseMarker(await readMarkerText(stateDir, login.url))?.store
  const store = await openSecretStore({ stateDir, prefer: prefer ?? before })
  const kept = await keep(nameOf(login.url), JSON.stringify(login), store, stateDir)
  await writeMarker(stateDir, login.url, {
    state: login.tokens === undefined ? 'needed' : 'done',
    store: kept,
    id: login.id,
  })
  if (before !== undefined && before !== kept) await forget(stateDir, login.url, before)
  return kept
}

/** Deletes the secrets before the marker, so that no orphaned secrets remain. Throws `secrets.*`. */
export async function deleteLogin(url: string, stateDir: string): Promise<void> {
  const marker = parseMarker(await readMarkerText(stateDir, url))
  if (marker?.store !== undefined)
    await (await openSecretStore({ stateDir, only: marker.store })).delete(nameOf(url))
  await removeMarker(stateDir, url)
}

/** Removes rejected tokens. Keeps the client, because a person may have named it. */
export async function dropTokens(login: Login, place: LoginPlace): Promise<void> {
  await writeLogin({ ...login, tokens: undefined }, place)
}

/** Stores the login. Falls back to the file if the keyring rejects it: some tokens exceed a keyring's limit of a few kilobytes. */
async function keep(
  name: string,
  text: string,
  store: SecretStore,
  stateDir: string,
): Promise<SecretStoreKind> {
  // Other processes could not use a login in this process's memory.
  if (store.kind === 'memory')
    throw new OstlerError(
      'secrets.not_kept',
      `The login cannot be stored: ${store.problem ?? 'there is no secret store.'}`,
    )
  try {
    await store.set(name, text)
    return store.kind
  } catch (error) {
    if (store.kind !== 'keyring') throw error
    const file = await openSecretStore({ stateDir, only: 'file' })
    await file.set(name, text)
    return file.kind
  }
}

async function forget(stateDir: string, url: string, kind: SecretStoreKind): Promise<void> {
  await openSecretStore({ stateDir, only: kind })
    .then((store) => store.delete(nameOf(url)))
    .catch(() => undefined)
}

function knowLogin({ client, tokens, dpopKey }: Login, redactor: Redactor): void {
  addIssued(redactor, tokens?.access, tokens?.refresh)
  knowClient(client, redactor)
  if (dpopKey?.d !== undefined) redactor.add(dpopKey.d)
}

/** The secret of a client that a person named is redacted in full. An issued one is chosen by the server. */
export function knowClient({ client_secret, isGiven }: LoginClient, redactor: Redactor): void {
  if (!isGiven) addIssued(redactor, client_secret)
  else if (client_secret !== undefined) redactor.add(client_secret)
}

function parseLogin(text: string): Login {
  try {
    return JSON.parse(text) as Login
  } catch (error) {
    throw new OstlerError(
      'secrets.damaged',
      `The login in the secret store is damaged: ${messageOf(error)}. Log in again.`,
    )
  }
}
