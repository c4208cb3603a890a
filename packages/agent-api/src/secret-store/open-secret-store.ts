import { messageOf, OstlerError } from '../base/errors.ts'
import { openFileStore } from './file-store.ts'
import { openKeyringStore, type Keyring } from './keyring-store.ts'
import { type SecretStore, type SecretStoreKind, checkName, checkSecret } from './secret-store.ts'
import { createSystemKeyring } from './system-keyring.ts'

const whyCharsMax = 60

/** Best first. Plain text is not an option. */
const ladder: readonly SecretStoreKind[] = ['keyring', 'file', 'memory']

export interface SecretStoreOptions {
  readonly stateDir?: string
  readonly prefer?: SecretStoreKind
  /** Use this kind or fail: for a secret that is already stored there. */
  readonly only?: SecretStoreKind
  readonly keyring?: Keyring
  readonly keyringWaitMs?: number
}

/** Opens the best usable store. Its `problem` is the reason why a better one could not be used. */
export async function openSecretStore(options: SecretStoreOptions = {}): Promise<SecretStore> {
  if (options.only !== undefined) return await openOne(options.only, options)
  const reasons: string[] = []
  for (const kind of ladder.slice(ladder.indexOf(options.prefer ?? 'keyring'))) {
    try {
      const store = await openOne(kind, options)
      return reasons.length === 0 ? store : { ...store, problem: problemOf(kind, reasons) }
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new OstlerError('secrets.no_store', reasons.join(' '))
}

async function openOne(
  kind: SecretStoreKind,
  { stateDir, keyring, keyringWaitMs }: SecretStoreOptions,
): Promise<SecretStore> {
  switch (kind) {
    case 'keyring':
      return await openKeyringStore({ keyring: keyring ?? createSystemKeyring(), waitMs: keyringWaitMs })
    case 'file':
      if (stateDir === undefined)
        throw new OstlerError('secrets.no_state_dir', 'There is no state directory to keep secrets in.')
      return await openFileStore(stateDir)
    case 'memory':
      return createMemoryStore()
  }
}

/** The message of a system's keyring can be long, and another store is as good. */
function reasonOf(error: unknown): string {
  const why = error instanceof OstlerError && error.data['why']
  if (typeof why !== 'string') return messageOf(error)
  return `The system keyring cannot be used: ${why.length > whyCharsMax ? `${why.slice(0, whyCharsMax)}…` : `${why}.`}`
}

function problemOf(kind: SecretStoreKind, reasons: readonly string[]): string {
  const instead =
    kind === 'file'
      ? 'Secrets are stored in an encrypted file instead. To choose that, set OSTLER_SECRET_STORE=file.'
      : 'Secrets are kept only until Ostler ends.'
  return [...reasons, instead].join(' ')
}

/** Keeps secrets until the process ends. The last fallback: secrets are never written as plain text. */
export function createMemoryStore(): SecretStore {
  const secrets = new Map<string, string>()
  return {
    kind: 'memory',
    async get(name) {
      checkName(name)
      return secrets.get(name)
    },
    async set(name, value) {
      checkSecret(name, value)
      secrets.set(name, value)
    },
    async delete(name) {
      checkName(name)
      secrets.delete(name)
    },
  }
}
