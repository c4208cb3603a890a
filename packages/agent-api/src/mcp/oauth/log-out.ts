import { selectClientAuthMethod } from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createAuthFetch } from './auth-fetch.ts'
import { loginUrl } from '../../base/login-key.ts'
import { lockLogin, parseMarker, readMarkerText } from './login-marker.ts'
import { deleteLogin, readLogin, type Login } from './login-store.ts'
import { toLoginError } from './to-login-error.ts'

interface LogOutRequest {
  readonly url: string
  readonly stateDir: string
  readonly redactor: Redactor
}

export interface LoggedOut {
  readonly wasLoggedIn: boolean
  /** Set if the tokens could not be revoked and may still be valid. */
  readonly warning?: string
}

/** Deletes a login, and revokes its tokens if the authorization server supports that. */
export async function logOut(
  { url: address, stateDir, redactor }: LogOutRequest,
  signal: AbortSignal,
): Promise<LoggedOut> {
  const url = loginUrl(address)
  const marker = parseMarker(await readMarkerText(stateDir, url))
  if (marker === undefined) return { wasLoggedIn: false }
  using _lock = await lockLogin(stateDir, url)
  // An unreadable login can still be deleted.
  const login = await readLogin(url, { stateDir, redactor }).catch(() => undefined)
  await deleteLogin(url, stateDir)
  if (login?.tokens === undefined) return { wasLoggedIn: marker.state === 'done' }
  try {
    await revoke(login, signal)
    return { wasLoggedIn: true }
  } catch (error) {
    return {
      wasLoggedIn: true,
      warning: `The tokens could not be revoked. ${toLoginError(error, redactor).message}`,
    }
  }
}

/** Revokes the refresh token first: many authorization servers then also revoke the tokens obtained with it. */
async function revoke(
  { url, revocationEndpoint, client, tokens, authMethods = [] }: Login,
  signal: AbortSignal,
): Promise<void> {
  if (revocationEndpoint === undefined || tokens === undefined) return
  const authFetch = createAuthFetch(url, signal)
  const method = selectClientAuthMethod(client, [...authMethods])
  const { client_id, client_secret = '' } = client
  const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString(
    'base64',
  )
  for (const [hint, token] of [
    ['refresh_token', tokens.refresh],
    ['access_token', tokens.access],
  ] as const) {
    if (token === undefined) continue
    const body = new URLSearchParams({ token, token_type_hint: hint })
    if (method !== 'client_secret_basic') body.set('client_id', client_id)
    if (method === 'client_secret_post') body.set('client_secret', client_secret)
    const response = await authFetch(revocationEndpoint, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(method === 'client_secret_basic' && { authorization: `Basic ${basic}` }),
      },
      body,
    })
    await response.body?.cancel()
    if (!response.ok)
      throw new OstlerError('login.failed', `The authorization server answered with HTTP ${response.status}.`)
  }
}
