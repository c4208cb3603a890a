import { loadAgentFile, type LoadedAgentFile } from '../config/agent-file.ts'
import { processEnvironment } from '../config/environment.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { secretsOfFile, toAgentConfig, toAgentServer } from '../config/to-agent-config.ts'
import { OstlerError } from '../errors.ts'
import type { History } from '../history/history.ts'
import { createStoredHistory, openStoredHistory } from '../history/open-history.ts'
import { noteConnected, type ServerRow } from '../history/servers.ts'
import { watchServers } from '../history/servers-version.ts'
import { silentLogger, type Logger } from '../logger.ts'
import { createCallLimits } from '../policy/call-limits.ts'
import type { AdmittedTools } from '../policy/tool-access.ts'
import { maxConcurrentDefault } from '../policy/tool-config.ts'
import { createRedactor, type Redactor } from '../secrets/redact.ts'
import { isSecretName, secretsOf } from '../secrets/secrets-of.ts'
import type { SecretStoreKind } from '../secrets/secret-store.ts'
import { createSlots } from '../slots.ts'
import { callServiceTool } from './call-service-tool.ts'
import { resolveEntry, resolveServer } from './resolve-server.ts'
import { createServerSecrets, preferredSecretStore } from './server-secrets.ts'
import type {
  DiscoveredTool,
  RequestOptions,
  ServerCapabilities,
  ServerId,
  ServerService,
  ServerView,
  ServiceCall,
} from './server-service.ts'
import { createServiceConnections, type ServiceConnection } from './service-connections.ts'
import { createStoredServers } from './stored-servers.ts'
import { fileServerId, toFileServerView, toStoredServerView } from './server-view.ts'

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
}

/** Needs no editor and no model. Throws `config.*` for an agent file that cannot be used, `history.*` for a state that cannot. */
export async function openServerService(options: ServerServiceOptions): Promise<ServerService> {
  const { file: path, env = processEnvironment(), stateDir, logger = silentLogger, redactor = createRedactor() } = options
  const { file } = await loadAgentFile(path, env)
  const fileServers = new Map(
    Object.entries(file.mcpServers).map(([name, entry]) => [fileServerId(name), { entry, server: toAgentServer(name, entry) }]),
  )
  knowSecrets(redactor, file, env)
  const configured = toAgentConfig(file).toolbox?.tools ?? []
  const limits = createCallLimits(
    createSlots({ activeMax: file.toolbox.maxConcurrent ?? maxConcurrentDefault, of: 'a place among all calls' }),
  )

  let opened: History | undefined
  const history = () => (opened ??= openStoredHistory({ stateDir, logger, redactor }))
  const writableHistory = () => history() ?? (opened = createStoredHistory({ stateDir, logger, redactor }))
  const secrets = createServerSecrets({ stateDir, prefer: options.secretStore ?? preferredSecretStore(env) })
  const stored = createStoredServers({ history, writableHistory, secrets, env, logger })
  const lifetime = new AbortController()
  const callListeners = new Set<(call: ServiceCall) => void>()
  /** Which state of a stored server a connection was made for. */
  const revisions = new Map<ServerId, number>()
  const connections = createServiceConnections({
    configured,
    logger,
    redactor,
    onConnected(id) {
      if (!isFileId(id)) history()?.journal.write((statements) => noteConnected(statements, id))
    },
  })

  function knownRow(id: ServerId): ServerRow {
    const row = stored.find(id)
    if (row !== undefined) return row
    throw new OstlerError('servers.unknown', `There is no server with the id '${id}'.`)
  }

  function refuseFileServer(id: ServerId): void {
    if (!isFileId(id)) return
    throw new OstlerError(
      'servers.read_only',
      `The server '${id.slice(fileServerId('').length)}' stands in the agent file. Change it there.`,
    )
  }

  function signalOf({ signal }: RequestOptions): AbortSignal {
    return signal === undefined ? lifetime.signal : AbortSignal.any([signal, lifetime.signal])
  }

  /** A connection to what the server is now: somebody else may have changed it. */
  async function connected(id: ServerId, signal: AbortSignal): Promise<ServiceConnection> {
    if (lifetime.signal.aborted) throw lifetime.signal.reason
    const own = fileServers.get(id)?.server
    if (own !== undefined) return connections.connect(id, async () => own, signal)
    const row = knownRow(id)
    if (connections.find(id) !== undefined && revisions.get(id) !== row.revision) await connections.disconnect(id)
    return connections.connect(
      id,
      async () => {
        // Looked up again: it may be a while since.
        const now = knownRow(id)
        revisions.set(id, now.revision)
        return resolveServer(now, { secrets, env, redactor })
      },
      signal,
    )
  }

  /** What changed elsewhere, or was removed, must not go on under its old configuration. */
  async function refreshStored(): Promise<void> {
    await Promise.all(
      connections.ids().map(async (id) => {
        if (isFileId(id)) return
        const row = stored.find(id)
        if (row === undefined) {
          await connections.disconnect(id)
          connections.forget(id)
        } else if (connections.find(id) !== undefined && revisions.get(id) !== row.revision) await reconnect(id)
      }),
    )
  }

  async function reconnect(id: ServerId): Promise<void> {
    const wasConnected = connections.find(id) !== undefined
    await connections.disconnect(id)
    // Why it fails now is in its status.
    if (wasConnected) void connected(id, lifetime.signal).catch(() => undefined)
  }

  async function viewOf(row: ServerRow): Promise<ServerView> {
    let values: Readonly<Record<string, string>> | undefined
    try {
      values = await secrets.read(row.id, row.secretStore)
      for (const value of Object.values(values)) redactor.add(value)
    } catch (error) {
      connections.fail(row.id, error)
    }
    return toStoredServerView(row, {
      values,
      shadowed: fileServers.has(fileServerId(row.name)),
      status: connections.status(row.id),
      tools: connections.find(row.id)?.client.tools.length,
    })
  }

  function fileViews(): ServerView[] {
    return [...fileServers].map(([id, { entry, server }]) => {
      const now = { status: connections.status(id), tools: connections.find(id)?.client.tools.length }
      return toFileServerView(server.server.name, entry, now, redactor)
    })
  }

  async function capabilitiesOf({ client, access }: ServiceConnection, signal: AbortSignal): Promise<ServerCapabilities> {
    const { status, phases = { startMs: 0, handshakeMs: 0, discoveryMs: 0 } } = client
    if (status.state !== 'connected') throw client.failure ?? new OstlerError('mcp.connection_lost', 'the connection was lost')
    const begunAt = performance.now()
    const warnings = [...status.warnings]
    // As with prompts: a server that cannot list them is as good as one that has none.
    const resources = await client.listResources({ signal }).catch((error: OstlerError) => {
      if (signal.aborted) throw error
      warnings.push(`the resources could not be listed: ${error.message}`)
      return []
    })
    return {
      tools: toDiscoveredTools(client.tools, access.admitted(client.name)),
      resources,
      prompts: client.prompts,
      server: status.server,
      phases: { ...phases, discoveryMs: phases.discoveryMs + (performance.now() - begunAt) },
      warnings,
    }
  }

  function tell(call: ServiceCall): void {
    for (const listener of callListeners) listener(call)
  }

  const service: ServerService = {
    secretStore: () => secrets.state(),

    async listServers() {
      await refreshStored()
      return [...fileViews(), ...(await Promise.all(stored.list().map(viewOf)))]
    },
    async getServer(idOrName) {
      await refreshStored()
      const own = fileViews().find(({ id, name }) => id === idOrName || name === idOrName)
      const row = stored.find(idOrName) ?? stored.list().find(({ name }) => name === idOrName)
      if (own !== undefined) return own
      if (row !== undefined) return viewOf(row)
      throw new OstlerError('servers.unknown', `There is no server named '${idOrName}'.`)
    },
    addServer: async (server) => viewOf(await stored.add(server)),
    async updateServer(id, updates) {
      refuseFileServer(id)
      const row = await stored.update(id, updates)
      connections.forget(id)
      if (row.enabled) await reconnect(id)
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
      const trial = createServiceConnections({ configured, logger, redactor, onConnected: () => {} })
      try {
        return await capabilitiesOf(await explained(trial.connect(name, async () => server, signal)), signal)
      } finally {
        await trial[Symbol.asyncDispose]()
      }
    },
    async connect(id, request = {}) {
      const signal = signalOf(request)
      return capabilitiesOf(await explained(connected(id, signal)), signal)
    },
    async disconnect(id) {
      if (!isFileId(id)) knownRow(id)
      await connections.disconnect(id)
    },
    getConnectionStatus: (id) => connections.status(id),

    async discoverTools(id, request = {}) {
      const { client, access } = await explained(connected(id, signalOf(request)))
      return toDiscoveredTools(client.tools, access.admitted(client.name))
    },
    async callTool(id, tool, args, callOptions) {
      const signal = signalOf(callOptions)
      const connection = await explained(connected(id, signal))
      const request = { id, connection, tool, args, options: callOptions, signal }
      return callServiceTool(request, { agent: file.name, history: writableHistory(), limits, logger, redactor, tell })
    },
    async listResources(id, request = {}) {
      const signal = signalOf(request)
      return (await explained(connected(id, signal))).client.listResources({ signal })
    },
    async readResource(id, uri, request = {}) {
      const signal = signalOf(request)
      return (await explained(connected(id, signal))).client.readResource(uri, { signal })
    },
    async listPrompts(id, request = {}) {
      return (await explained(connected(id, signalOf(request)))).client.prompts
    },
    async getPrompt(id, name, args, request = {}) {
      const signal = signalOf(request)
      return (await explained(connected(id, signal))).client.getPrompt(name, args, { signal })
    },

    onConnectionChange: (listener) => connections.onChange(listener),
    onToolCall(listener) {
      callListeners.add(listener)
      return () => callListeners.delete(listener)
    },
    onServersChange(listener) {
      const changed = () => {
        void refreshStored().catch(() => undefined)
        listener()
      }
      const stop = watchServers(() => history()?.journal, changed, logger)
      lifetime.signal.addEventListener('abort', stop, { once: true })
      return stop
    },

    async [Symbol.asyncDispose]() {
      lifetime.abort(new OstlerError('servers.closed', 'The service is closed.'))
      await connections[Symbol.asyncDispose]()
      opened?.[Symbol.dispose]()
    },
  }
  return service
}

function isFileId(id: ServerId): boolean {
  return id.startsWith(fileServerId(''))
}

function knowSecrets(redactor: Redactor, file: LoadedAgentFile['file'], env: Environment): void {
  const named = Object.entries(env).flatMap(([name, value]) => (isSecretName(name) && value !== undefined ? [value] : []))
  const own = Object.entries(file.mcpServers).flatMap(([name, entry]) => secretsOf(toAgentServer(name, entry).server))
  for (const secret of [...named, ...secretsOfFile(file), ...own]) redactor.add(secret)
}

function toDiscoveredTools(tools: ServiceConnection['client']['tools'], admitted: AdmittedTools): DiscoveredTool[] {
  return tools.map((tool) => {
    const config = admitted.get(tool.name)
    return config === undefined ? tool : { ...tool, config }
  })
}

/** What a server that could not be connected printed last, apart from why. */
async function explained<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await connecting
  } catch (error) {
    if (!(error instanceof OstlerError) || !error.code.startsWith('mcp.')) throw error
    const [reason = '', ...output] = error.message.split('\n')
    throw new OstlerError(error.code, error.message, { data: { ...error.data, reason, output: output.join('\n') }, cause: error })
  }
}
