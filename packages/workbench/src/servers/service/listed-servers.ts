import { createRedactor, OstlerError, type Logger, type Redactor } from '@ostler/agent-api'
import {
  createServerSecrets,
  isShadowed,
  preferredSecretStore,
  processEnvironment,
  resolveEntry,
  silentLogger,
  suggest,
  toTiming,
  unsealSecrets,
  type Environment,
  type SecretStoreKind,
  type ServerRow,
  type Timing,
  createChanges,
  type State,
  createStoredState,
  openStoredState,
} from '@ostler/agent-api/internal'
import { createStoredServers, type StoredServers } from '../stored/stored-servers.ts'
import { refuseFileServer, openUsedAgentFile } from './used-agent-file.ts'
import { disconnected, toErrorStatus } from './connection-status.ts'
import type { ServerEntryInput, ServerId, ServerList, ServerView } from '../server-service.ts'
import { loginStateOf } from './server-logins.ts'
import { toFileServerView, toStoredServerView, type Now } from './server-view.ts'

export interface ListedServersOptions {
  /** Without one, there are only stored servers and the overrides of the environment. */
  readonly file?: string
  readonly env?: Environment
  /** Need not exist: it is created when something is stored. */
  readonly stateDir: string
  readonly logger?: Logger
  readonly redactor?: Redactor
  /** The first secret store to try; `OSTLER_SECRET_STORE`, then the system keyring, when unset. */
  readonly secretStore?: SecretStoreKind
  readonly timing?: Partial<Timing>
}

export type ServerParts = Awaited<ReturnType<typeof openServerParts>>

/** Throws `config.*` for an unusable agent file. */
export async function openServerParts({
  file,
  env = processEnvironment(),
  stateDir,
  logger = silentLogger,
  redactor = createRedactor(),
  secretStore,
  timing,
}: ListedServersOptions) {
  const used = await openUsedAgentFile(file, env, redactor)
  const prefer = secretStore ?? preferredSecretStore(env)
  const state = openLazyState({ stateDir, timing: toTiming(timing), logger, redactor })
  const secrets = createServerSecrets({ stateDir, prefer })
  const stored = createStoredServers({
    state: state.find,
    writableState: state.writable,
    secrets,
    env,
    logger,
  })
  return { used, state, secrets, prefer, stored, env, stateDir, logger, redactor }
}

export interface Live {
  /** Ends the connections to servers that another process has changed. */
  refresh(): Promise<void>
  nowOf(id: ServerId): Omit<Now, 'login'>
  changed(id: ServerId): Promise<void>
}

const notLive: Live = {
  async refresh() {},
  nowOf: () => ({ status: disconnected }),
  async changed() {},
}

/** Throws `config.*` for an unusable agent file, and `history.*` for unusable state. */
export async function openListedServers(options: ListedServersOptions): Promise<ServerList> {
  const parts = await openServerParts(options)
  const { used, stored, secrets, state } = parts
  return {
    ...createListedServers(parts),
    async revealServers() {
      const entries = new Map<ServerId, ServerEntryInput>(
        used.servers.all.map(({ id, entry }) => [id, entry]),
      )
      for (const { id, entry, secretStore, enabled } of stored.list())
        entries.set(id, { ...unsealSecrets(entry, await secrets.read(id, secretStore)), enabled })
      return entries
    },
    [Symbol.dispose]: () => state[Symbol.dispose](),
  }
}

export function createListedServers(
  { used, secrets, stored, env, stateDir, redactor }: ServerParts,
  { refresh, nowOf, changed }: Live = notLive,
): Omit<ServerList, 'revealServers' | typeof Symbol.dispose> {
  async function viewOf(row: ServerRow): Promise<ServerView> {
    const shadowed = isShadowed(row.name, used.servers.names)
    const now = nowOf(row.id)
    try {
      const values = await secrets.read(row.id, row.secretStore)
      for (const value of Object.values(values)) redactor.add(value)
      return toStoredServerView(row, { values, shadowed, ...now, login: await loginOf(row, values) })
    } catch (error) {
      // The server has this error until its secrets can be read.
      const status = now.status.state === 'disconnected' ? toErrorStatus(error) : now.status
      return toStoredServerView(row, { values: undefined, shadowed, ...now, status })
    }
  }

  async function loginOf(
    { name, entry }: ServerRow,
    values: Readonly<Record<string, string>>,
  ): Promise<ServerView['login']> {
    if (entry['type'] === 'stdio') return undefined
    try {
      const options = { values: Object.values(values), env, redactor }
      return await loginStateOf(resolveEntry(name, unsealSecrets(entry, values), options).config, stateDir)
    } catch {
      // Connecting fails for the same reason, and reports it.
      return undefined
    }
  }

  const fileViews = () =>
    Promise.all(
      used.servers.all.map(async ({ id, name, entry, server }) => {
        const now = { ...nowOf(id), login: await loginStateOf(server.config, stateDir) }
        return toFileServerView(name, entry, now, redactor)
      }),
    )

  return {
    secretStore: () => secrets.state(),
    async listServers() {
      await refresh()
      return [...(await fileViews()), ...(await Promise.all(stored.list().map(viewOf)))]
    },
    async getServer(idOrName) {
      await refresh()
      const own = await fileViews()
      const found = own.find(({ id, name }) => id === idOrName || name === idOrName)
      return found ?? viewOf(storedServer(stored, idOrName, used.servers.names))
    },
    addServer: async (server) => viewOf(await stored.add(server)),
    async updateServer(id, updates) {
      refuseFileServer(id)
      const row = await stored.update(id, updates)
      await changed(id)
      return viewOf(row)
    },
    async removeServer(id) {
      refuseFileServer(id)
      const removed = await stored.remove(id)
      await changed(id)
      return removed
    },
  }
}

/** Throws `servers.unknown`. */
export function storedServer(
  stored: Pick<StoredServers, 'find' | 'list'>,
  idOrName: string,
  others: readonly string[] = [],
): ServerRow {
  const row = stored.find(idOrName) ?? stored.list().find(({ name }) => name === idOrName)
  if (row !== undefined) return row
  const near = suggest(idOrName, [...stored.list().map(({ name }) => name), ...others])
  throw new OstlerError(
    'servers.unknown',
    `There is no server named '${idOrName}'${near === '' ? '.' : near}`,
  )
}

/** The state directory need not exist yet. */
function openLazyState(
  options: Required<Pick<ListedServersOptions, 'stateDir' | 'logger' | 'redactor'>> & {
    readonly timing: Timing
  },
) {
  let opened: State | undefined
  const find = () => (opened ??= openStoredState(options))
  const changes = createChanges({ ...options, journal: () => find()?.journal })
  return {
    /** Also of state that another process creates later. */
    changes,
    find,
    /** Throws `history.*` if it cannot be written. */
    writable(): State {
      opened = find() ?? createStoredState(options)
      if (!opened.journal.isReadOnly) return opened
      throw new OstlerError(
        'history.unwritable',
        `The state directory ${options.stateDir} can be read, but not written. Check its permissions, and the space on its disk.`,
      )
    },
    [Symbol.dispose]() {
      changes[Symbol.dispose]()
      opened?.[Symbol.dispose]()
    },
  }
}
