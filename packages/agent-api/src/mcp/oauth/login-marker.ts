import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileLock } from '../../secret-store/file-lock.ts'
import { openPrivateDirectory, replacePrivateFile } from '../../secret-store/private-file.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import { loginHash } from '../../base/login-key.ts'

/**
 * Records that a login exists and which store has its secrets, so that no keyring is opened needlessly. It is a separate file, so that
 * changes by other processes are cheap to detect. Contains no secret and no address.
 */
interface LoginMarker {
  /** `needed`: the server requires a login, and there is no valid one. */
  readonly state: 'done' | 'needed'
  /** The store of the login's secrets, if there are any. */
  readonly store?: SecretStoreKind
  /** Tells two logins apart. Renewing a login keeps it. */
  readonly id?: string | undefined
}

const directoryOf = (stateDir: string) => join(stateDir, 'logins')
const pathOf = (stateDir: string, url: string) => join(directoryOf(stateDir), `${loginHash(url)}.json`)

/** The file's text, for comparison. Undefined if it does not exist. */
export async function readMarkerText(stateDir: string, url: string): Promise<string | undefined> {
  return await readFile(pathOf(stateDir, url), 'utf8').catch(() => undefined)
}

export function parseMarker(text: string | undefined): LoginMarker | undefined {
  if (text === undefined) return undefined
  try {
    const { state, store, id } = JSON.parse(text) as { state?: unknown; store?: unknown; id?: string }
    const kind = store === 'keyring' || store === 'file' ? store : undefined
    if (state === 'needed' || (state === 'done' && kind !== undefined)) return { state, id, store: kind }
  } catch {
    // A damaged marker counts as missing. The next login rewrites it.
  }
  return undefined
}

/** The id of the login that is in use. Synchronous, because a server's tools are looked up when it is opened. */
export function currentLoginId(stateDir: string, url: string): string | undefined {
  try {
    const marker = parseMarker(readFileSync(pathOf(stateDir, url), 'utf8'))
    return marker?.state === 'done' ? marker.id : undefined
  } catch {
    return undefined
  }
}

/** Writes different text each time, so that a replaced login is noticed. */
export async function writeMarker(stateDir: string, url: string, marker: LoginMarker): Promise<void> {
  await openPrivateDirectory(directoryOf(stateDir))
  await replacePrivateFile(
    pathOf(stateDir, url),
    `${JSON.stringify({ ...marker, revision: randomBytes(8).toString('hex') })}\n`,
  )
}

export async function removeMarker(stateDir: string, url: string): Promise<void> {
  await rm(pathOf(stateDir, url), { force: true })
}

/** Only one process at a time may change a login: of two that renew it at once, one would end up with a used token. */
export async function lockLogin(stateDir: string, url: string): Promise<Disposable> {
  await openPrivateDirectory(directoryOf(stateDir))
  return openFileLock(`${pathOf(stateDir, url)}.lock`)
}
