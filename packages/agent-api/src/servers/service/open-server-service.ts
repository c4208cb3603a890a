import { loadAgentFile } from '../../config/agent-file.ts'
import { processEnvironment } from '../../config/environment.ts'
import type { Environment } from '../../config/environment-overrides.ts'
import { knownSecrets } from '../../config/known-secrets.ts'
import { toAgentServer, toConfiguredTools } from '../../config/to-agent-server.ts'
import { OstlerError } from '../../base/errors.ts'
import type { History } from '../../history/history.ts'
import { createStoredHistory, openStoredHistory } from '../../history/open-history.ts'
import { noteConnected, type ServerRow } from '../../history/servers.ts'
import { watchServers } from '../../history/servers-version.ts'
import { silentLogger, type Logger } from '../../base/logger.ts'
import { createLogins } from '../../mcp/oauth/logins.ts'
import type { Timing } from '../../mcp/timing.ts'
import { createCallLimits } from '../../policy/call-limits.ts'
import { maxConcurrentDefault } from '../../policy/tool-config.ts'
import { createRedactor, type Redactor } from '../../redaction/redact.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import { createSlots } from '../../base/slots.ts'
import { tellListeners } from '../../base/tell-listeners.ts'
import { callServiceTool } from './call-service-tool.ts'
import { createCurrentConnections } from './current-connections.ts'
import { resolveEntry, resolveServer } from '../stored/resolve-server.ts'
import { capabilitiesOf, explained, toDiscoveredTools } from './server-capabilities.ts'
import { createServerLogins } from './server-logins.ts'
import { createServerSecrets, preferredSecretStore, type ServerSecretValues } from '../stored/server-secrets.ts'
import type { RequestOptions, ServerId, ServerService, ServerView, ServiceCall } from './server-service.ts'
import { createServiceConnections, type ServiceConnection } from './service-connections.ts'
import { createStoredServers } from '../stored/stored-servers.ts'
import { fileServerId, isFileServerId, toFileServerView, toStoredServerView, type Now } from './server-view.ts'

export interface ServerServiceOptions {
  /** The agent file; without one only stored servers, and what the environment says. */
  readonly file?: string
  readonly env?: Environment
  /** Need not exist: it is made when something is stored. */
  readonly stateDir: string
  readonly logger?: Logger
  readonly redactor?: Redactor
  /** Where to begin looking for a place for secrets; `OSTLER_SECRET_STORE`, then the system keyring, when unset. */
  readonly secretStore?: SecretStoreKind
  /** How long connections wait; shorter where a person waits for the end of a command. */
  readonly timing?: Partial<Timing>
}

/** Needs no editor and no model. Throws `config.*` for an agent file that cannot be used, `history.*` for a state that cannot. */
export async function openServerService(options: ServerServiceOptions): Promise<ServerService> {
  const { file: path, env = processEnvironment(), stateDir, logger = silentLogger, redactor = createRedactor() } = options
  const { file } = await loadAgentFile(path, env)
  const fileServers = new Map(
    Object.entries(file.mcpServers).map(([name, entry]) => [fileServerId(name), { entry, server: toAgentServer(name, entry) }]),
  )
  for (const secret of knownSecrets(file, env)) redactor.add(secret)
  const configured = toConfiguredTools(file)
  const limits = createCallLimits(
    createSlots({ activeMax: file.toolbox.maxConcurrent ?? maxConcurrentDefault, of: 'a place among all calls' }),
  )

  let opened: History | undefined
  const history = () => (opened ??= openStoredHistory({ stateDir, logger, redactor }))
  const writableHistory = () => {
    const found = history() ?? (opened = createStoredHistory({ stateDir, logger, redactor }))
    if (!found.journal.isReadOnly) return found
    throw new OstlerError('history.unwritable', `The state in ${stateDir} can be read, but not written.`)
  }
  const secrets = createServerSecrets({ stateDir, prefer: options.secretStore ?? preferredSecretStore(env) })
  const stored = createStoredServers({ history, writableHistory, secrets, env, logger })
  const logins = createLogins({ stateDir, redactor, logger })
  const lifetime = new AbortController()
  /** Stored servers whose secrets could not be read when they were looked at last. */
  const unreadable = new Set<ServerId>()
  const callListeners = new Set<(call: ServiceCall) => void>()
  const connections = createServiceConnections({
    configured,
    logins,
    logger,
    redactor,
    timing: options.timing,
    onConnected(id) {
      if (!isFileServerId(id)) history()?.journal.write((statements) => noteConnected(statements, id))
    },
  })

  const current = createCurrentConnections({
    connections,
    fileServer: (id) => fileServers.get(id)?.server,
    stored,
    resolve: (row) => resolveServer(row, { secrets, env, redactor }),
    lifetime: lifetime.signal,
  })
  const { stateOf, stateOfStored, logIn, logOut } = createServerLogins({
    stateDir,
    env,
    redactor,
    prefer: options.secretStore ?? preferredSecretStore(env),
    async find(idOrName) {
      const own = fileServers.get(idOrName) ?? fileServers.get(fileServerId(idOrName))
      return (own?.server ?? (await resolveServer(storedServer(idOrName), { secrets, env, redactor }))).server
    },
    signalOf,
  })

  function storedServer(idOrName: string): ServerRow {
    const row = stored.find(idOrName) ?? stored.list().find(({ name }) => name === idOrName)
    if (row !== undefined) return row
    throw new OstlerError('servers.unknown', `There is no server named '${idOrName}'.`)
  }

  function refuseFileServer(id: ServerId): void {
    if (!isFileServerId(id)) return
    throw new OstlerError(
      'servers.read_only',
      `The server '${id.slice(fileServerId('').length)}' stands in the agent file. Change it there.`,
    )
  }

  function signalOf({ signal }: RequestOptions): AbortSignal {
    return signal === undefined ? lifetime.signal : AbortSignal.any([signal, lifetime.signal])
  }

  function connected(id: ServerId, signal: AbortSignal): Promise<ServiceConnection> {
    return explained(current.connect(id, signal))
  }

  /** Undefined where they cannot be read: then that is what is wrong with the server, for as long as it is so. */
  async function secretsOf({ id, secretStore }: ServerRow): Promise<ServerSecretValues | undefined> {
    try {
      const values = await secrets.read(id, secretStore)
      for (const value of Object.values(values)) redactor.add(value)
      if (unreadable.delete(id)) connections.forget(id)
      return values
    } catch (error) {
      unreadable.add(id)
      connections.fail(id, error)
      return undefined
    }
  }

  async function viewOf(row: ServerRow): Promise<ServerView> {
    const values = await secretsOf(row)
    return toStoredServerView(row, {
      values,
      shadowed: fileServers.has(fileServerId(row.name)),
      ...nowOf(row.id),
      login: await stateOfStored(row, values),
    })
  }

  function fileViews(): Promise<ServerView[]> {
    return Promise.all(
      [...fileServers].map(async ([id, { entry, server }]) => {
        const now = { ...nowOf(id), login: await stateOf(server.server) }
        return toFileServerView(server.server.name, entry, now, redactor)
      }),
    )
  }

  function nowOf(id: ServerId): Now {
    const { client, resources } = connections.find(id) ?? {}
    return { status: connections.status(id), tools: client?.tools.length, prompts: client?.prompts.length, resources }
  }

  function tell(call: ServiceCall): void {
    tellListeners(callListeners, (listener) => listener(call), 'the calls', logger)
  }

  return {
    secretStore: () => secrets.state(),

    async listServers() {
      await current.refresh()
      return [...(await fileViews()), ...(await Promise.all(stored.list().map(viewOf)))]
    },
    async getServer(idOrName) {
      await current.refresh()
      const own = (await fileViews()).find(({ id, name }) => id === idOrName || name === idOrName)
      return own ?? viewOf(storedServer(idOrName))
    },
    addServer: async (server) => viewOf(await stored.add(server)),
    async updateServer(id, updates) {
      refuseFileServer(id)
      const row = await stored.update(id, updates)
      connections.forget(id)
      if (row.enabled) await current.reconnect(id)
      else await connections.disconnect(id)
      return viewOf(row)
    },
    async removeServer(id) {
      refuseFileServer(id)
      const removed = await stored.remove(id)
      await connections.disconnect(id)
      connections.forget(id)
      return removed
    },

    async testServer(draft, request = {}) {
      if (draft.id !== undefined) refuseFileServer(draft.id)
      const signal = signalOf(request)
      const { name, entry, secrets: values } = await stored.draft(draft)
      const server = resolveEntry(name, entry, { values: Object.values(values), env, redactor })
      // Not one of those that have an id, and gone when it was looked at.
      const trial = createServiceConnections({ configured, logins, logger, redactor, onConnected: () => {} })
      try {
        return await capabilitiesOf(await explained(trial.connect(name, async () => server, signal)), signal)
      } finally {
        await trial[Symbol.asyncDispose]()
      }
    },
    async connect(id, request = {}) {
      const signal = signalOf(request)
      return capabilitiesOf(await connected(id, signal), signal)
    },
    async disconnect(id) {
      if (!isFileServerId(id)) stored.get(id)
      await connections.disconnect(id)
    },
    getConnectionStatus: (id) => connections.status(id),
    logIn,
    logOut,

    async discoverTools(id, request = {}) {
      return toDiscoveredTools(await connected(id, signalOf(request)))
    },
    async callTool(id, tool, args, callOptions) {
      const signal = signalOf(callOptions)
      const connection = await connected(id, signal)
      const request = { id, connection, tool, args, options: callOptions, signal }
      return callServiceTool(request, { agent: file.name, history: writableHistory(), limits, logger, redactor, tell })
    },
    async listResources(id, request = {}) {
      const signal = signalOf(request)
      return (await connected(id, signal)).client.listResources({ signal })
    },
    async readResource(id, uri, request = {}) {
      const signal = signalOf(request)
      return (await connected(id, signal)).client.readResource(uri, { signal })
    },
    async listPrompts(id, request = {}) {
      return (await connected(id, signalOf(request))).client.prompts
    },
    async getPrompt(id, name, args, request = {}) {
      const signal = signalOf(request)
      return (await connected(id, signal)).client.getPrompt(name, args, { signal })
    },

    onConnectionChange: (listener) => connections.onChange(listener),
    onToolCall(listener) {
      callListeners.add(listener)
      return () => callListeners.delete(listener)
    },
    onServersChange(listener) {
      const changed = () => {
        void current.refresh().catch(() => undefined)
        listener()
      }
      const stopWatching = watchServers(() => history()?.journal, changed, logger)
      const stop = () => {
        stopWatching()
        lifetime.signal.removeEventListener('abort', stop)
      }
      lifetime.signal.addEventListener('abort', stop)
      return stop
    },

    async [Symbol.asyncDispose]() {
      lifetime.abort(new OstlerError('servers.closed', 'The service is closed.'))
      await connections[Symbol.asyncDispose]()
      await logins.settled()
      opened?.[Symbol.dispose]()
    },
  }
}
