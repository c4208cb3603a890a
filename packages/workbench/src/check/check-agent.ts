import {
  OstlerError,
  type McpServerConfig,
  type AgentServer,
  type ApprovalMode,
  createRedactor,
  type Redactor,
} from '@ostler/agent-api'
import {
  agentName,
  examineFile,
  toLoadedFile,
  type LoadedAgentFile,
  type ExaminedAgentFile,
  processEnvironment,
  type AgentFile,
  type ConfigPath,
  isWithin,
  type ModelSettings,
  valueAt,
  type Environment,
  toAgentConfig,
  homeOrRoot,
  isRecord,
  silentLogger,
  type McpHost,
  createLogins,
  openMcpClient,
  nameCollisions,
  type ConfiguredTool,
  warnOfPatterns,
  warnOfHiddenCommands,
  unusedEntries,
  type SecretStoreState,
  checkModel,
  chooseModel,
  builtinToolNames,
} from '@ostler/agent-api/internal'
import {
  checkBuiltinTools,
  type CheckedBuiltinTool,
  checkLocalTools,
  findLocalTools,
  type ExplainedTool,
} from './check-tools.ts'
import { checkServer, type CheckedServer } from './check-server.ts'
import { knownSecrets } from '../agent-file/known-secrets.ts'
import { checkStoredServer, lookAtStoredServers } from './check-stored-servers.ts'
import { probeServers, type ServerProbes } from './probe-servers.ts'

/** Plain data without secrets. */
export interface AgentCheck {
  readonly name: string
  readonly approvalMode: ApprovalMode
  readonly model: CheckedModel
  /** The file's servers, followed by the stored ones. */
  readonly servers: readonly CheckedServer[]
  /** Null without a state directory. */
  readonly secretStore: SecretStoreState | null
  readonly builtinTools: readonly CheckedBuiltinTool[]
  /** Only filled when servers are connected, because loading the modules runs their code. */
  readonly localTools: readonly ExplainedTool[]
  /** They prevent the agent from starting. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Assumptions, and parts that were not checked. */
  readonly notes: readonly string[]
}

/** No request is made. */
interface CheckedModel {
  readonly id: string
  /** Its provider is known and has a key, if it needs one. */
  readonly ready: boolean
  readonly reason?: string
}

interface CheckAgentOptions {
  /** Without one, the built-in agent with environment overrides is checked. */
  readonly file?: string
  readonly env?: Environment
  readonly stateDir?: string
  readonly connect?: boolean
  /** Names of session tools that entries of `toolbox.tools` may refer to. */
  readonly sessionTools?: readonly string[]
  /** At the start and whenever a server has settled. */
  readonly onProgress?: (settled: number, all: number) => void
}

/** Throws `config.*` for a file that cannot be read. */
export async function checkAgent(options: CheckAgentOptions = {}): Promise<AgentCheck> {
  const {
    file: path,
    env = processEnvironment(),
    stateDir,
    connect = false,
    onProgress,
    sessionTools = [],
  } = options
  const examined = await examineFile(path, env)
  const loaded = toLoadedFile(path, examined, problemsOfModel(examined, env))
  const { file, sourceOf } = loaded
  const { servers, configured } = describeServers(loaded)
  const redactor = createRedactor()
  for (const secret of knownSecrets(file, env)) redactor.add(secret)
  const isEnabled = ({ config }: AgentServer) => file.mcpServers[config.name]?.enabled === true

  const local = connect ? await checkLocalTools(loaded, path, configured) : findLocalTools(loaded, path)
  const stored = await lookAtStoredServers({ file, stateDir, env, redactor })
  const startable = stored.servers.flatMap(({ server }) => (server === undefined ? [] : [server]))
  const asked = {
    cwd: homeOrRoot(env),
    servers: servers.filter(isEnabled),
    stored: startable,
    configured,
    redactor,
  }
  const { probes, failure } = connect ? await probe(asked, stateDir, onProgress) : nothingProbed
  const { model, problems: modelProblems } = inspectModel(loaded, env, redactor)
  const fromFile = servers.map((server) =>
    checkServer({
      server,
      enabled: isEnabled(server),
      probe: probes.find(({ name }) => name === server.config.name),
      configured,
      sourceOf,
      redactor,
    }),
  )
  const fromStore = stored.servers.map((each) =>
    checkStoredServer(each, {
      probe: probes.find(({ name }) => name === each.server?.config.name),
      configured,
      sourceOf,
      redactor,
    }),
  )
  const findings = [...fromFile, ...fromStore]
  const found = findings.flatMap(({ problems }) => problems)
  const offers = new Map(probes.map(({ name, tools }) => [name, tools]))
  // In strict mode, an entry may refer to a tool of the editor's servers.
  const knowsAll = connect && file.sessionServers.mode !== 'strict'
  const unused = unusedEntries({
    configured,
    down: probes.filter(({ status }) => status.state !== 'connected').map(({ name }) => name),
    servers: [...Object.keys(file.mcpServers), ...stored.servers.map(({ row }) => row.name)],
    offered: knowsAll
      ? [
          ...builtinToolNames,
          ...local.tools.map(({ name }) => name),
          ...sessionTools,
          ...[...offers.values()].flat(),
        ]
      : undefined,
  })

  return {
    name: agentName(file.name),
    approvalMode: file.approval.mode,
    model,
    servers: findings.map(({ server }) => server),
    secretStore: stored.secretStore,
    builtinTools: checkBuiltinTools(loaded, configured),
    localTools: local.tools,
    // A real start stops at the first problem. A check reports all.
    problems: [
      ...modelProblems,
      ...local.problems,
      ...(failure === undefined ? [] : [failure]),
      ...found.filter((text) => failure?.includes(text) !== true),
    ],
    warnings: [
      ...loaded.warnings,
      ...warnOfSmallModel(loaded, env, redactor),
      ...warnOfPatterns(file.approval.trustedTools),
      ...warnOfHiddenCommands(Object.keys(file.commands)),
      ...stored.warnings,
      ...findings.flatMap(({ warnings }) => warnings),
      ...nameCollisions(offers).map(({ message }) => message),
      ...unused.map(({ index, message }) => `${sourceOf(['toolbox', 'tools', index])}: ${message}`),
    ],
    notes: [...loaded.notes, ...local.notes],
  }
}

/** Includes disabled ones. */
function describeServers({ file }: LoadedAgentFile): {
  servers: readonly AgentServer[]
  configured: readonly ConfiguredTool[]
} {
  const mcpServers = Object.fromEntries(
    Object.entries(file.mcpServers).map(([name, entry]) => [name, { ...entry, enabled: true }]),
  )
  const { mcpServers: servers = [], toolbox } = toAgentConfig({ ...file, mcpServers })
  return { servers, configured: toolbox?.tools ?? [] }
}

/** A missing key does not prevent the start, because another model can be chosen in the editor. */
function inspectModel(
  { file }: LoadedAgentFile,
  env: Environment,
  redactor: Redactor,
): { readonly model: CheckedModel; readonly problems: readonly string[] } {
  const settings = { providers: file.providers ?? {}, env }
  const chosen = chooseModel(file.model, settings)
  const id = redactor.redact(chosen)
  const error = modelError(chosen, settings)
  if (error === undefined) return { model: { id, ready: true }, problems: [] }
  const reason = redactor.redact(error.message)
  return { model: { id, ready: false, reason }, problems: error.code === 'model.unknown' ? [reason] : [] }
}

/** The model of a file with other problems, so that all are reported at once. Skips a provider that is itself wrong. */
function problemsOfModel({ data, problems, sourceOf }: ExaminedAgentFile, env: Environment): string[] {
  const model = valueAt(data, ['model'])
  const given = valueAt(data, ['providers'])
  const isWrong = (at: ConfigPath) => problems.some(({ path }) => isWithin(path, at))
  if (typeof model !== 'string' || isWrong(['model'])) return []
  const named = Object.entries(isRecord(given) ? given : {})
  if (named.some(([name]) => model.startsWith(`${name}/`) && isWrong(['providers', name]))) return []
  const providers = Object.fromEntries(
    named.filter(([name]) => !isWrong(['providers', name])),
  ) as NonNullable<AgentFile['providers']>
  const error = modelError(model, { providers, env })
  return error?.code === 'model.unknown' ? [`${sourceOf(['model'])}: ${error.message}`] : []
}

/** Without the small model, the session's model does its work. */
function warnOfSmallModel(
  { file, sourceOf }: LoadedAgentFile,
  env: Environment,
  redactor: Redactor,
): string[] {
  const small = file.models?.small
  const error = small === undefined ? undefined : modelError(small, { providers: file.providers ?? {}, env })
  return error === undefined ? [] : [`${sourceOf(['models', 'small'])}: ${redactor.redact(error.message)}`]
}

function modelError(model: string, settings: ModelSettings): OstlerError | undefined {
  try {
    checkModel(model, settings)
    return undefined
  } catch (error) {
    if (error instanceof OstlerError) return error
    throw error
  }
}

const nothingProbed: ServerProbes = { probes: [], failure: undefined }

async function probe(
  asked: Omit<Parameters<typeof probeServers>[0], 'openClient' | 'logger'> & { readonly redactor: Redactor },
  stateDir: string | undefined,
  onProgress: CheckAgentOptions['onProgress'],
): Promise<ServerProbes> {
  let settled = 0
  const all = asked.servers.length + asked.stored.length
  onProgress?.(settled, all)
  const { redactor } = asked
  const logger = silentLogger
  const logins = stateDir === undefined ? undefined : createLogins({ stateDir, redactor, logger })
  const openClient = (config: McpServerConfig, host: McpHost) =>
    openMcpClient({ config, host, logger, redactor, logins, loginName: config.name })
  try {
    return await probeServers({ ...asked, openClient, logger }, () => onProgress?.(++settled, all))
  } finally {
    await logins?.settled()
  }
}
