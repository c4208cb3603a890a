import { messageOf, OstlerError } from '../../base/errors.ts'
import { openSecretStore } from '../../secret-store/open-secret-store.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { SecretStore, SecretStoreKind } from '../../secret-store/secret-store.ts'
import { loginHash, loginUrl } from './login-key.ts'
import { parseMarker, readMarkerText, removeMarker, writeMarker } from './login-marker.ts'

/** All that is needed to use a login and to renew it. One secret as a whole. */
export interface Login {
  /** The server that it is for, and that alone is sent the token. */
  readonly url: string
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint?: string
  /** How the token endpoint lets clients say who they are. */
  readonly authMethods?: readonly string[]
  readonly resource?: string
  readonly client: LoginClient
  /** Unset once they were refused: whoever registered the client need not do so again. */
  readonly tokens?: LoginTokens | undefined
}

export interface LoginClient {
  readonly client_id: string
  readonly client_secret?: string
  readonly token_endpoint_auth_method?: string
  /** A person has named it; otherwise it was registered for one login. */
  readonly isGiven: boolean
}

export interface LoginTokens {
  readonly access: string
  readonly refresh?: string
  readonly scope?: string
  /** By the clock of this machine, in milliseconds. */
  readonly expiresAt?: number
  /** Before it is over: it could be by the time that a request arrives. */
  readonly renewAt?: number
}

export interface LoginPlace {
  readonly stateDir: string
  readonly redactor: Redactor
}

const nameOf = (url: string) => `oauth/${loginHash(url)}`

/** Undefined when there is none. Throws `secrets.*` when it cannot be read. */
export async function readLogin(url: string, { stateDir, redactor }: LoginPlace): Promise<Login | undefined> {
  const marker = parseMarker(await readMarkerText(stateDir, url))
  if (marker?.store === undefined) return undefined
  const store = await openSecretStore({ stateDir, only: marker.store })
  const text = await store.get(nameOf(url))
  const login = text === undefined ? undefined : parseLogin(text)
  // A record that was put under the name of another server must not send its tokens there.
  if (login === undefined || login.url !== loginUrl(url)) return undefined
  knowLogin(login, redactor)
  return login
}

/** Where it is kept now: the place it was in before, or the best there is. */
export async function writeLogin(login: Login, { stateDir, redactor }: LoginPlace, prefer?: SecretStoreKind): Promise<SecretStoreKind> {
  knowLogin(login, redactor)
  const before = parseMarker(await readMarkerText(stateDir, login.url))?.store
  const store = await openSecretStore({ stateDir, prefer: prefer ?? before })
  const kept = await keep(nameOf(login.url), JSON.stringify(login), store, stateDir)
  await writeMarker(stateDir, login.url, { state: login.tokens === undefined ? 'needed' : 'done', store: kept })
  if (before !== undefined && before !== kept) await forget(stateDir, login.url, before)
  return kept
}

/** Its secrets are gone before the marker is, so that none are left that nobody knows of. Throws `secrets.*`. */
export async function deleteLogin(url: string, stateDir: string): Promise<void> {
  const marker = parseMarker(await readMarkerText(stateDir, url))
  if (marker?.store !== undefined) await (await openSecretStore({ stateDir, only: marker.store })).delete(nameOf(url))
  await removeMarker(stateDir, url)
}

/** The tokens are of no use any more. The client stays known: a person may have named it. */
export async function dropTokens(login: Login, place: LoginPlace): Promise<void> {
  await writeLogin({ ...login, tokens: undefined }, place)
}

/** A keyring may take no more than a few kilobytes, which is less than some tokens have. */
async function keep(name: string, text: string, store: SecretStore, stateDir: string): Promise<SecretStoreKind> {
  // What only this process remembers is no login for another.
  if (store.kind === 'memory')
    throw new OstlerError('secrets.not_kept', `The login cannot be kept: ${store.problem ?? 'there is no place for it.'}`)
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

/** What is left of it in another place is of no use, and its failure no reason to fail. */
async function forget(stateDir: string, url: string, kind: SecretStoreKind): Promise<void> {
  await openSecretStore({ stateDir, only: kind })
    .then((store) => store.delete(nameOf(url)))
    .catch(() => undefined)
}

function knowLogin({ client, tokens }: Login, redactor: Redactor): void {
  for (const secret of [client.client_secret, tokens?.access, tokens?.refresh]) if (secret !== undefined) redactor.add(secret)
}

function parseLogin(text: string): Login {
  try {
    return JSON.parse(text) as Login
  } catch (error) {
    throw new OstlerError('secrets.damaged', `The login in the secret store is damaged: ${messageOf(error)}. Log in again.`)
  }
}
