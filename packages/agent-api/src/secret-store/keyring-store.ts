import { randomBytes } from 'node:crypto'
import { messageOf, OstlerError } from '../base/errors.ts'
import { checkName, checkSecret, type SecretStore } from './secret-store.ts'

/**
 * The part of the system keyring that Ostler uses. An implementation may hang, so every call takes a signal after which its result is
 * ignored.
 */
export interface Keyring {
  /** Some keyrings also return `null` while they are locked. */
  get(name: string, signal: AbortSignal): Promise<string | null>
  set(name: string, value: string, signal: AbortSignal): Promise<void>
  delete(name: string, signal: AbortSignal): Promise<void>
}

/** Generous, because a person may have to type a password. */
const keyringWaitMs = 20_000
const messageLengthMax = 300

export interface KeyringStoreOptions {
  readonly keyring: Keyring
  readonly waitMs?: number
}

/**
 * Opens the keyring and tests it: writes, reads and deletes a random value. One read is not enough, because a locked keyring behaves like
 * an empty one. Throws if it cannot be used.
 */
export async function openKeyringStore({
  keyring,
  waitMs = keyringWaitMs,
}: KeyringStoreOptions): Promise<SecretStore> {
  const ask = <T>(doing: string, run: (signal: AbortSignal) => Promise<T>, secret = '') =>
    withinTime(doing, waitMs, run, secret)
  await probe()

  async function probe(): Promise<void> {
    const name = `probe-${randomBytes(8).toString('hex')}`
    const value = randomBytes(8).toString('hex')
    await ask('be written', (signal) => keyring.set(name, value, signal))
    const found = await ask('be read', (signal) => keyring.get(name, signal))
    await ask('be changed', (signal) => keyring.delete(name, signal))
    if (found !== value) throw unusable('it does not return what was written. It may be locked')
  }

  return {
    kind: 'keyring',
    async get(name) {
      checkName(name)
      const value = await ask('be read', (signal) => keyring.get(name, signal))
      if (value !== null) return value
      await probe()
      // The probe may have unlocked the keyring.
      return (await ask('be read', (signal) => keyring.get(name, signal))) ?? undefined
    },
    async set(name, value) {
      checkSecret(name, value)
      await ask('be written', (signal) => keyring.set(name, value, signal), value)
    },
    async delete(name) {
      checkName(name)
      await ask('be changed', (signal) => keyring.delete(name, signal))
      // A locked keyring may claim that there was nothing to delete.
      await probe()
    },
  }
}

async function withinTime<T>(
  doing: string,
  waitMs: number,
  run: (signal: AbortSignal) => Promise<T>,
  secret: string,
): Promise<T> {
  const late = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(unusable(`it did not answer within ${waitMs / 1_000} s`))
    late.abort()
  }, waitMs)
  try {
    return await Promise.race([run(late.signal), promise])
  } catch (error) {
    throw error instanceof OstlerError
      ? error
      : unusable(`it cannot ${doing}: ${safeMessage(error, secret)}`, error)
  } finally {
    clearTimeout(timer)
  }
}

function unusable(why: string, cause?: unknown): OstlerError {
  return new OstlerError(
    'secrets.keyring_unusable',
    `The system keyring cannot be used: ${why}. Unlock it, or log in to a desktop session, and try again.`,
    { data: { why }, cause },
  )
}

/** The keyring's own message, without the secret. */
function safeMessage(error: unknown, secret: string): string {
  const text = messageOf(error)
  const safe = secret === '' ? text : text.replaceAll(secret, '[redacted]')
  return safe
    .replace(/\s+/g, ' ')
    .replace(/[.\s]+$/, '')
    .slice(0, messageLengthMax)
}
