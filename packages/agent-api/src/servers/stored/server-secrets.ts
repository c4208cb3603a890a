import type { Environment } from '../../config/environment-overrides.ts'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { SecretStore, SecretStoreKind } from '../../secret-store/secret-store.ts'

export interface SecretStoreState {
  readonly kind: SecretStoreKind
  /** The reason why a better store could not be used. */
  readonly problem?: string
}

type ServerSecretValues = Readonly<Record<string, string>>

/** The secrets of stored servers, one record per server. A store is opened only when needed, because a keyring may ask for a password. */
export interface ServerSecrets {
  state(): Promise<SecretStoreState>
  /** Throws `secrets.*` if they cannot be read or are missing. */
  read(id: string, kind: SecretStoreKind | null): Promise<ServerSecretValues>
  /** Returns the store used; null if there are no secrets. Throws `secrets.*` without having changed anything. */
  write(id: string, values: ServerSecretValues): Promise<SecretStoreKind | null>
  delete(id: string, kind: SecretStoreKind | null): Promise<void>
}

interface ServerSecretsOptions {
  readonly stateDir: string
  /** The first store to try. Defaults to the system keyring. */
  readonly prefer?: SecretStoreKind
}

const kinds: readonly SecretStoreKind[] = ['keyring', 'file', 'memory']

export function preferredSecretStore(env: Environment): SecretStoreKind | undefined {
  const wanted = env['OSTLER_SECRET_STORE'] ?? ''
  const kind = kinds.find((known) => known === wanted)
  if (kind !== undefined || wanted === '') return kind
  throw new OstlerError(
    'config.invalid',
    `OSTLER_SECRET_STORE: found '${wanted}'; expected ${kinds.join(' or ')}`,
  )
}

const nameOf = (id: string) => `server/${id}`

export function createServerSecrets({ stateDir, prefer }: ServerSecretsOptions): ServerSecrets {
  const opened = new Map<SecretStoreKind, Promise<SecretStore>>()
  let best: Promise<SecretStore> | undefined

  /** A failed store is opened again next time, because a person may have unlocked it. */
  function storeOf(kind: SecretStoreKind): Promise<SecretStore> {
    const store =
      opened.get(kind) ?? load().then(({ openSecretStore }) => openSecretStore({ stateDir, only: kind }))
    opened.set(kind, store)
    store.catch(() => opened.delete(kind))
    return store
  }

  async function bestStore(): Promise<SecretStore> {
    best ??= load().then(({ openSecretStore }) => openSecretStore({ stateDir, prefer }))
    try {
      const store = await best
      // Read from the same store: another in-memory store would not have the values.
      if (!opened.has(store.kind)) opened.set(store.kind, best)
      if (store.kind === 'memory' && prefer !== 'memory') best = undefined
      return store
    } catch (error) {
      best = undefined
      throw error
    }
  }

  return {
    async state() {
      const { kind, problem } = await bestStore()
      return problem === undefined ? { kind } : { kind, problem }
    },
    async read(id, kind) {
      if (kind === null) return {}
      const record = await (await storeOf(kind)).get(nameOf(id))
      if (record !== undefined) return parseRecord(record)
      const lost =
        kind === 'memory'
          ? 'Its secrets were in the memory of an Ostler process that has ended.'
          : 'Its secrets are no longer in the secret store.'
      throw new OstlerError('secrets.missing', `${lost} Set them again.`)
    },
    async write(id, values) {
      if (Object.keys(values).length === 0) return null
      const store = await bestStore()
      // Memory is used only on request, because the server would stop working when this process ends.
      if (store.kind === 'memory' && prefer !== 'memory')
        throw new OstlerError(
          'secrets.not_kept',
          `The secrets of this server cannot be stored: ${store.problem ?? 'there is no secret store.'}`,
        )
      await store.set(nameOf(id), JSON.stringify(values))
      return store.kind
    },
    async delete(id, kind) {
      if (kind !== null) await (await storeOf(kind)).delete(nameOf(id))
    },
  }
}

/** Loaded only if there is a secret. */
function load(): Promise<typeof import('../../secret-store/open-secret-store.ts')> {
  return import('../../secret-store/open-secret-store.ts')
}

function parseRecord(text: string): ServerSecretValues {
  try {
    return JSON.parse(text) as ServerSecretValues
  } catch (error) {
    throw new OstlerError(
      'secrets.damaged',
      `Its secrets in the secret store are damaged: ${messageOf(error)}. Set them again.`,
    )
  }
}
