import { processEnvironment } from '../../config/environment.ts'
import type { Environment } from '../../config/environment-overrides.ts'
import { OstlerError } from '../../base/errors.ts'
import { homeOrRoot } from '../../base/find-home.ts'
import { noteConnected, type ServerRow } from '../../history/servers.ts'
import { watchServers } from '../../history/servers-version.ts'
import { silentLogger, type Logger } from '../../base/logger.ts'
import { toTiming, type Timing } from '../../base/timing.ts'
import { createLogins } from '../../mcp/oauth/logins.ts'
import { openMcpClient, type ClientOpener } from '../../mcp/open-mcp-client.ts'
import { createServerLog } from '../../mcp/server-log.ts'
import { strikeWith } from '../../redaction/redact-value.ts'
import { createRedactor, type Redactor } from '../../redaction/redact.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import { resolveEntry, resolveServer } from '../stored/resolve-server.ts'
import { createServerSecrets, preferredSecretStore } from '../stored/server-secrets.ts'
import { createStoredServers, type StoredServers } from '../stored/stored-servers.ts'
import { createCallMembrane } from '../../tools/call-membrane.ts'
import { createCurrentConnections } from './current-connections.ts'
import { refuseFileServer } from './file-servers.ts'
import { openLazyHistory } from './lazy-history.ts'
import { capabilitiesOf, explained } from './server-capabilities.ts'
import { createServerLogins } from './server-logins.ts'
import { createServerRequests } from './server-requests.ts'
import type { AgentServer } from '../../policy/agent-server.ts'
import type { NewServer, RequestOptions, ServerCapabilities, ServerId, ServerService } from '../server-service.ts'
import { isFileServerId } from './server-view.ts'
import { createServerViews, storedServer } from './server-views.ts'
import { listPolicies } from './list-policies.ts'
import { createServiceConnections, type ServiceConnectionOptions, type ServiceConnections } from './service-connections.ts'
import { openUsedAgentFile } from './used-agent-file.ts'
import { createWatchedServers, type WatchedServers } from './watched-servers.ts'

export interface ServerServiceOptions {
  /** The agent file. Without one, there are only stored servers and the overrides of the environment. */
  readonly file?: string
  readonly env?: Environment
  /** The folder that the person is in: where `examineServer` starts a draft. Defaults to the working directory of the process. */
  readonly cwd?: string
  /** Need not exist: it is created when something is stored. */
  readonly stateDir: string
  readonly logger?: Logger
  readonly redactor?: Redactor
  /** The first secret store to try; `OSTLER_SECRET_STORE`, then the system keyring, when unset. */
  readonly secretStore?: SecretStoreKind
  /** Shorter if a person waits for the end of a command. */
  readonly timing?: Partial<Timing>
  /** If true, a person may watch the servers: they can ask questions, and their messages are kept. */
  readonly isWatched?: boolean
}

/**
 * Opens the service, which needs no editor and no model. Throws `config.*` for an unusable agent file, and `history.*` for unusable state.
 */
export async function openServerService(options: ServerServiceOptions): Promise<ServerService> {
  const { file: path, env = processEnvironment(), stateDir, logger = silentLogger, redactor = createRedactor() } = options
  const used = await openUsedAgentFile(path, env, redactor)
  const files = used.servers
  const prefer = options.secretStore ?? preferredSecretStore(env)
  const timing = toTiming(options.timing)
  const history = openLazyHistory({ stateDir, timing, logger, redactor })
  const secrets = createServerSecrets({ stateDir, prefer })
  const stored = createStoredServers({ history: history.find, writableHistory: history.writable, secrets, env, logger })
  const resolve = (row: ServerRow) => resolveServer(row, { secrets, env, redactor })
  const logins = createLogins({ stateDir, timing, redactor, logger })
  const lifetime = new AbortController()
  const signalOf = ({ signal }: RequestOptions) => (signal === undefined ? lifetime.signal : AbortSignal.any([signal, lifetime.signal]))

  const { cwd = process.cwd() } = options
  const openClient: ClientOpener = (more) => openMcpClient({ ...more, logins, logger, redactor, timing })
  const home = homeOrRoot(env)
  const connecting = { openClient, cwd: home, logger }
  const watching: ServiceConnectionOptions['watching'] = {
    hostOf: (id) => watched.watching.hostOf(id),
    protocolOf: (id) => watched.watching.protocolOf(id),
    logOf: (id) => watched.watching.logOf(id),
  }
  const connections = createServiceConnections({
    ...connecting,
    ...(options.isWatched === true && { watching }),
    onResourceChange: (id, uri) => watched.resourceChanged(id, uri),
    get configured() {
      return used.configured
    },
    onConnected(id) {
      if (!isFileServerId(id)) history.find()?.journal.write((statements) => noteConnected(statements, id))
    },
  })
  const fileServer = (id: string) => (isFileServerId(id) ? files.find(id)?.server : undefined)
  const current = createCurrentConnections({ connections, fileServer, stored, resolve, lifetime: lifetime.signal })
  const find = async (idOrName: string) => (files.find(idOrName)?.server ?? (await resolve(storedServer(stored, idOrName)))).config
  const resolveDraft = async (draft: NewServer & { readonly id?: ServerId }) => {
    const { name, entry, secrets: values } = await stored.draft(draft)
    return resolveEntry(name, entry, { values: Object.values(values), env, redactor })
  }
  const serverLogins = createServerLogins({ stateDir, env, redactor, prefer, find, signalOf })
  const membranes = {
    calls: createCallMembrane(redactor),
    ofWhole: createCallMembrane(redactor, { whole: true }),
    strike: strikeWith(redactor),
  }
  const asking = { connect: current.connect, signalOf, logger, membranes }
  const requests = createServerRequests({
    ...asking,
    writableHistory: history.writable,
    maxConcurrent: () => used.file.toolbox.maxConcurrent,
    agent: () => used.file.name,
    askedMs: (id) => watched.askedMs(id),
  })
  const watched: WatchedServers = createWatchedServers({
    ...asking,
    connections,
    callTool: requests.callTool,
    openLog: () => createServerLog(redactor),
  })
  const views = createServerViews({ files, stored, secrets, connections, logins: serverLogins, redactor })

  return {
    async useFile(now) {
      await Promise.all((await used.use(now)).map((id) => connections.disconnect(id)))
    },
    secretStore: () => secrets.state(),

    async listServers() {
      await current.refresh()
      return views.list()
    },
    listPolicies: () => listPolicies({ files, stored, resolve, connections, cwd: home }),
    async getServer(idOrName) {
      await current.refresh()
      return views.get(idOrName)
    },
    ...createServerEdits({ stored, connections, current, views, watched }),

    async testServer(draft, request = {}) {
      if (draft.id !== undefined) refuseFileServer(draft.id)
      const signal = signalOf(request)
      return testServer(draft.name, await resolveDraft(draft), { ...connecting, configured: used.configured }, signal)
    },
    async examineServer(target, request = {}) {
      const { examineServer } = await import('./examine-server.ts')
      const isNamed = typeof target === 'string'
      const config = isNamed ? await find(target) : (await resolveDraft(target)).config
      // A command that its author has just typed starts where they are.
      const place = isNamed ? { cwd: home, roots: [], loginName: config.name } : { cwd, roots: [cwd], loginName: undefined }
      return examineServer({ openClient, config, ...place }, signalOf(request))
    },
    async disconnect(id) {
      if (!isFileServerId(id)) stored.get(id)
      await connections.disconnect(id)
    },
    getConnectionStatus: (id) => connections.status(id),
    logIn: serverLogins.logIn,
    logOut: serverLogins.logOut,

    ...requests,
    ...watched.methods,

    onConnectionChange: (listener) => connections.onChange(listener),
    onServersChange(listener) {
      const changed = () => {
        void current.refresh().catch(() => undefined)
        listener()
      }
      const stopWatching = watchServers({ journalNow: () => history.find()?.journal, listener: changed, timing, logger })
      return untilAborted(stopWatching, lifetime.signal)
    },

    async [Symbol.asyncDispose]() {
      lifetime.abort(new OstlerError('servers.closed', 'The service is closed.'))
      await connections[Symbol.asyncDispose]()
      await logins.settled()
      history[Symbol.dispose]()
    },
  }
}

interface ServerEditsOptions {
  readonly stored: StoredServers
  readonly connections: ServiceConnections
  readonly current: ReturnType<typeof createCurrentConnections>
  readonly views: ReturnType<typeof createServerViews>
  readonly watched: WatchedServers
}

/** Changes stored servers, and their connections with them. */
function createServerEdits({
  stored,
  connections,
  current,
  views,
  watched,
}: ServerEditsOptions): Pick<ServerService, 'addServer' | 'updateServer' | 'removeServer'> {
  return {
    addServer: async (server) => views.of(await stored.add(server)),
    async updateServer(id, updates) {
      refuseFileServer(id)
      const row = await stored.update(id, updates)
      connections.forget(id)
      if (row.enabled) await current.reconnect(id)
      else await connections.disconnect(id)
      return views.of(row)
    },
    async removeServer(id) {
      refuseFileServer(id)
      const removed = await stored.remove(id)
      await connections.disconnect(id)
      connections.forget(id)
      watched.forget(id)
      return removed
    },
  }
}

/** Connects a server in a separate set, which ends after the test. */
async function testServer(
  name: string,
  server: AgentServer,
  options: Omit<ServiceConnectionOptions, 'onConnected'>,
  signal: AbortSignal,
): Promise<ServerCapabilities> {
  const trial = createServiceConnections({ ...options, onConnected: () => {} })
  try {
    return await capabilitiesOf(await explained(trial.connect(name, async () => server, signal)), signal)
  } finally {
    await trial[Symbol.asyncDispose]()
  }
}

/** Stops on the signal, or when the returned function is called. */
function untilAborted(stopWatching: () => void, signal: AbortSignal): () => void {
  const stop = () => {
    stopWatching()
    signal.removeEventListener('abort', stop)
  }
  signal.addEventListener('abort', stop)
  return stop
}
