import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileLock, type FileLock } from '../../secret-store/file-lock.ts'
import { openPrivateDirectory, replacePrivateFile } from '../../secret-store/private-file.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import { loginHash } from './login-key.ts'

/**
 * Says that there is a login for a server, and where its secrets are, so that nobody opens a keyring to learn that there is none. A file of
 * its own, so that a look at it is a cheap way to see whether another process has changed the login. No secret and no address is in it.
 */
export interface LoginMarker {
  /** `needed`: the server wants a login, and none that it would take is known. */
  readonly state: 'done' | 'needed'
  /** Where there is something to read. */
  readonly store?: SecretStoreKind
}

/** Renewing a login is over long before; whoever holds the lock for longer is gone. */
const lockStaleMs = 45_000
const lockWaitMs = 60_000

const directoryOf = (stateDir: string) => join(stateDir, 'logins')
const pathOf = (stateDir: string, url: string) => join(directoryOf(stateDir), `${loginHash(url)}.json`)

/** The file as it is, to compare; undefined where there is none. */
export async function readMarkerText(stateDir: string, url: string): Promise<string | undefined> {
  return await readFile(pathOf(stateDir, url), 'utf8').catch(() => undefined)
}

export function parseMarker(text: string | undefined): LoginMarker | undefined {
  if (text === undefined) return undefined
  try {
    const { state, store } = JSON.parse(text) as { state?: unknown; store?: unknown }
    const kind = store === 'keyring' || store === 'file' ? store : undefined
    if (state === 'needed' || (state === 'done' && kind !== undefined)) return { state, ...(kind !== undefined && { store: kind }) }
  } catch {
    // A damaged one is none: to log in again writes it anew.
  }
  return undefined
}

/** Another text at each writing, so that a login that replaces another is seen. */
export async function writeMarker(stateDir: string, url: string, marker: LoginMarker): Promise<void> {
  await openPrivateDirectory(directoryOf(stateDir))
  await replacePrivateFile(pathOf(stateDir, url), `${JSON.stringify({ ...marker, revision: randomBytes(8).toString('hex') })}\n`)
}

export async function removeMarker(stateDir: string, url: string): Promise<void> {
  await rm(pathOf(stateDir, url), { force: true })
}

/** One process at a time changes a login: of two that renew it at once, one would be left with a token that is spent. */
export async function lockLogin(stateDir: string, url: string): Promise<FileLock> {
  await openPrivateDirectory(directoryOf(stateDir))
  return openFileLock(join(directoryOf(stateDir), `${loginHash(url)}.lock`), { staleMs: lockStaleMs, waitMs: lockWaitMs })
}
