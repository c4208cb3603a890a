import { OstlerError, type AgentServer } from '@ostler/agent-api'
import {
  agentName,
  createCallLimits,
  createCallMembrane,
  createListeners,
  createLogins,
  createSlots,
  homeOrRoot,
  isGrantedHost,
  maxConcurrentDefault,
  openMcpClient,
  openServerSet,
  resolveEntry,
  resolveServer,
  strikeWith,
  toTiming,
  type CallLimits,
  type ClientOpener,
  type ServerRow,
} from '@ostler/agent-api/internal'
import {
  createListedServers,
  openServerParts,
  storedServer,
  type ListedServersOptions,
} from './listed-servers.ts'
import { listPolicies } from './list-policies.ts'
import { capabilitiesOf, explained } from './server-capabilities.ts'
import type { ServerHandle } from './server-handle.ts'
import { createServerHandles } from './server-handles.ts'
import { createServerLogins } from './server-logins.ts'
import { refuseFileServer } from './used-agent-file.ts'
import type { NewServer, RequestOptions, ServerId, ServerService } from '../server-service.ts'

export interface ServerServiceOptions extends ListedServersOptions {
  /** Where `examineServer` starts a draft. Defaults to the working directory of the process. */
  readonly cwd?: string
  /** A person may watch the servers: they can ask questions, and their messages are kept. */
  readonly isWatched?: boolean
}

/** Needs no editor and no model. Throws `config.*` for an unusable agent file, and `history.*` for unusable state. */
export async function openServerService(options: ServerServiceOptions): Promise<ServerService> {
  const { cwd = process.cwd(), isWatched = false } = options
  const parts = await openServerParts(options)
  const { used, state, secrets, stored, env, stateDir, logger, redactor } = parts
  const timing = toTiming(options.timing)
  const logins = createLogins({ stateDir, timing, redactor, logger })
  const lifetime = new AbortController()
  const signalOf = ({ signal }: RequestOptions) =>
    signal === undefined ? lifetime.signal : AbortSignal.any([signal, lifetime.signal])
  const own = () => ({ stateDir, ownFiles: used.path === undefined ? [] : [used.path] })
  const openClient: ClientOpener = (more) =>
    openMcpClient({ own: own(), ...more, logins, logger, redactor, timing })
  const home = homeOrRoot(env)
  const changes = createListeners('the servers', logger)

  /** There is no session, so there are no roots. A server can ask the person only if they watch it. */
  const openSet = (watched?: (id: ServerId) => Pick<ServerHandle, 'host' | 'logs'> | undefined) =>
    openServerSet<AgentServer>({
      open(config, _server, id) {
        const { host, logs } = watched?.(id) ?? {}
        return openClient({
          config,
          host: {
            cwd: home,
            roots: [],
            // Without a session, only an answer for always counts.
            async askHost(asked) {
              const grants = state.find()?.servers.grants(agentName(used.file.name))
              return grants !== undefined && isGrantedHost(grants, home, asked)
            },
            ...host,
          },
          ...logs,
          startsOnUse: true,
          loginName: config.name,
        })
      },
      get configured() {
        return used.configured
      },
      logger,
      onViolation: ({ sentences }) => sentences.forEach((sentence) => logger.info(sentence)),
    })
  const resolve = (row: ServerRow) => resolveServer(row, { secrets, env, redactor })
  const find = async (idOrName: string) =>
    (used.servers.find(idOrName)?.server ?? (await resolve(storedServer(stored, idOrName)))).config
  const resolveDraft = async (draft: NewServer & { readonly id?: ServerId }) => {
    const { name, entry, secrets: values } = await stored.draft(draft)
    return resolveEntry(name, entry, { values: Object.values(values), env, redactor })
  }

  const handles = createServerHandles({
    parts,
    resolve,
    openSet: (find) => openSet(isWatched ? find : undefined),
    onStatus: changes.tell,
    lifetime: lifetime.signal,
    signalOf,
    calls: {
      agent: () => used.file.name,
      calls: () => state.writable().calls,
      limits: createLimits(() => used.file.toolbox.maxConcurrent),
      logger,
      membranes: {
        calls: createCallMembrane(redactor),
        ofWhole: createCallMembrane(redactor, { whole: true }),
        strike: strikeWith(redactor),
      },
    },
  })

  return {
    ...createListedServers(parts, handles),
    server: handles.of,
    async useFile(now) {
      await Promise.all((await used.use(now)).map(handles.end))
    },
    listPolicies: () =>
      listPolicies({ files: used.servers, stored, resolve, connected: handles.connected, cwd: home }),

    async testServer(draft, request = {}) {
      if (draft.id !== undefined) refuseFileServer(draft.id)
      const server = await resolveDraft(draft)
      await using trial = openSet()
      const client = trial.add(server.config, server)
      const signal = signalOf(request)
      await explained(client.use({ signal }))
      const admitted = () => trial.admitted(client.name)
      return await capabilitiesOf({ server, client, admitted }, signal)
    },
    async learnSandbox(idOrName, request = {}) {
      const { learnSandbox } = await import('./learn-sandbox.ts')
      return learnSandbox(await find(idOrName), { openClient, cwd: home, own: own() }, signalOf(request))
    },
    async examineServer(target, request = {}) {
      const { examineServer } = await import('./examine-server.ts')
      const isNamed = typeof target === 'string'
      const config = isNamed ? await find(target) : (await resolveDraft(target)).config
      // A command that its author has just typed starts where they are.
      const place = isNamed
        ? { cwd: home, roots: [], loginName: config.name }
        : { cwd, roots: [cwd], loginName: undefined }
      return examineServer({ openClient, config, ...place }, signalOf(request))
    },
    ...createServerLogins({ stateDir, redactor, prefer: parts.prefer, find, signalOf }),

    onChange(listener) {
      const stopListening = changes.add(listener)
      const stopWatching = state.changes.watch('servers', () => {
        void handles.refresh().catch(() => undefined)
        listener()
      })
      return () => {
        stopListening()
        stopWatching()
      }
    },

    async [Symbol.asyncDispose]() {
      lifetime.abort(new OstlerError('servers.closed', 'The service is closed.'))
      await handles[Symbol.asyncDispose]()
      await logins.settled()
      state[Symbol.dispose]()
    },
  }
}

/** The agent file may change the number of concurrent calls. */
function createLimits(maxConcurrent: () => number | undefined): () => CallLimits {
  const made = (activeMax: number | undefined) => ({
    activeMax,
    limits: createCallLimits(createSlots({ activeMax: activeMax ?? maxConcurrentDefault, of: 'a slot' })),
  })
  let now = made(maxConcurrent())
  return () => {
    if (now.activeMax !== maxConcurrent()) now = made(maxConcurrent())
    return now.limits
  }
}
