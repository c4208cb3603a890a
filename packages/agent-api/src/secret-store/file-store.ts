import { parseJsonOr } from '../base/json.ts'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../base/is-record.ts'
import { OstlerError } from '../base/errors.ts'
import { openFileLock } from './file-lock.ts'
import {
  asOstlerError,
  openPrivateDirectory,
  readPrivateFile,
  replacePrivateFile,
  temporarySuffix,
} from './private-file.ts'
import { checkName, checkSecret, type SecretStore } from './secret-store.ts'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
/** Random for each write: reusing an IV with the same key would reveal both values. */
const ivBytes = 12
const tagBytes = 16
const version = 1
const secretsFileName = 'secrets.json'
const keyFileName = 'secrets.key'
const lockFileName = 'secrets.json.lock'

interface SealedValue {
  readonly iv: string
  readonly tag: string
  readonly data: string
}

type Entries = Map<string, SealedValue>

/**
 * Keeps secrets in an encrypted file in the state directory, with the key in a file next to it. Throws on opening if they cannot be used.
 * Never overwrites anything that cannot be decrypted.
 */
export async function openFileStore(stateDir: string): Promise<SecretStore> {
  const path = join(stateDir, secretsFileName)
  const keyPath = join(stateDir, keyFileName)
  await openPrivateDirectory(stateDir)
  await checkUsable()

  async function checkUsable(): Promise<void> {
    const entries = await readEntries(path)
    if (entries.size > 0) openAll(entries, await readKey(keyPath), { path, keyPath })
    else await underLock(() => readOrCreateKey(keyPath))
  }

  async function change(apply: (entries: Entries, key: Buffer) => boolean): Promise<void> {
    await underLock(async () => {
      const entries = await readEntries(path)
      const key = entries.size > 0 ? await readKey(keyPath) : await readOrCreateKey(keyPath)
      // Refuse to write if any entry cannot be decrypted: a file with two keys or a damaged entry could never be repaired.
      openAll(entries, key, { path, keyPath })
      if (!apply(entries, key)) return
      const text = JSON.stringify({ version, entries: Object.fromEntries(entries) }, null, 2)
      await replacePrivateFile(path, `${text}\n`)
    })
  }

  async function underLock<T>(run: () => Promise<T>): Promise<T> {
    try {
      using _lock = await openFileLock(join(stateDir, lockFileName))
      await removeTemporary(stateDir)
      return await run()
    } catch (error) {
      throw asOstlerError(error, path, 'write')
    }
  }

  // Run the changes of this process one after another, so that they do not compete for the lock.
  let last: Promise<void> = Promise.resolve()
  const inTurn = (run: () => Promise<void>): Promise<void> => {
    last = last.catch(() => {}).then(run)
    return last
  }

  return {
    kind: 'file',
    async get(name) {
      checkName(name)
      const entry = (await readEntries(path)).get(name)
      return entry === undefined ? undefined : open(name, entry, await readKey(keyPath), { path, keyPath })
    },
    async set(name, value) {
      checkSecret(name, value)
      await inTurn(() => change((entries, key) => entries.set(name, seal(name, value, key)).size > 0))
    },
    async delete(name) {
      checkName(name)
      await inTurn(() => change((entries) => entries.delete(name)))
    },
  }
}

interface Paths {
  readonly path: string
  readonly keyPath: string
}

function seal(name: string, value: string, key: Buffer): SealedValue {
  const iv = randomBytes(ivBytes)
  // Authenticate the name, so that entries cannot be swapped.
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(name))
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return {
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
}

function open(name: string, { iv, tag, data }: SealedValue, key: Buffer, { path, keyPath }: Paths): string {
  try {
    const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64'), { authTagLength: tagBytes })
      .setAAD(Buffer.from(name))
      .setAuthTag(Buffer.from(tag, 'base64'))
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new OstlerError(
      'secrets.undecryptable',
      `The secret '${name}' in ${path} cannot be decrypted: ${keyPath} is the wrong key, or the file was changed. ${remedy}`,
      { data: { name }, cause: error },
    )
  }
}

function openAll(entries: Entries, key: Buffer, paths: Paths): void {
  for (const [name, entry] of entries) open(name, entry, key, paths)
}

const remedy = 'Restore both files from the same backup, or move both away and set the secrets again.'

async function readKey(keyPath: string): Promise<Buffer> {
  const key = await readPrivateFile(keyPath)
  if (key === undefined)
    throw new OstlerError(
      'secrets.key_missing',
      `The key ${keyPath} is missing, so no secret can be decrypted. ${remedy}`,
    )
  if (key.length !== keyBytes)
    throw new OstlerError(
      'secrets.undecryptable',
      `${keyPath} is damaged: it must have ${keyBytes} bytes. ${remedy}`,
    )
  return key
}

/** Under the lock, so no other process creates one. */
async function readOrCreateKey(keyPath: string): Promise<Buffer> {
  if ((await readPrivateFile(keyPath)) === undefined) await replacePrivateFile(keyPath, randomBytes(keyBytes))
  return await readKey(keyPath)
}

async function readEntries(path: string): Promise<Entries> {
  const content = await readPrivateFile(path)
  if (content === undefined) return new Map()
  const parsed = parseEntries(content.toString('utf8'))
  if (typeof parsed !== 'string') return parsed
  throw new OstlerError('secrets.undecryptable', `${path} ${parsed}, so Ostler does not change it. ${remedy}`)
}

/** Returns the reason if they cannot be read. */
function parseEntries(text: string): Entries | string {
  const file = parseJsonOr(text, undefined)
  if (!isRecord(file)) return 'is damaged'
  if (typeof file['version'] === 'number' && file['version'] > version) return 'was written by a newer Ostler'
  if (file['version'] !== version || !isRecord(file['entries'])) return 'is damaged'
  const entries: Entries = new Map()
  for (const [name, entry] of Object.entries(file['entries'])) {
    if (!isSealedValue(entry)) return 'is damaged'
    entries.set(name, entry)
  }
  return entries
}

function isSealedValue(value: unknown): value is SealedValue {
  return isRecord(value) && ['iv', 'tag', 'data'].every((field) => typeof value[field] === 'string')
}

/** Removes the file of a process that ended while writing. */
async function removeTemporary(stateDir: string): Promise<void> {
  for (const name of await readdir(stateDir)) {
    if (name.startsWith('secrets.') && name.endsWith(temporarySuffix))
      await rm(join(stateDir, name), { force: true })
  }
}
