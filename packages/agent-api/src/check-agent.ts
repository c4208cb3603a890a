import { checkServer, type CheckedServer } from './check-server.ts'
import { loadAgentFile, type LoadedAgentFile } from './config/agent-file.ts'
import { checkLocalTools, findLocalTools } from './config/check-local-tools.ts'
import { processEnvironment } from './config/environment.ts'
import type { Environment } from './config/environment-overrides.ts'
import type { ExplainedTool } from './config/explain-tool-config.ts'
import { secretsOfFile, toAgentConfig } from './config/to-agent-config.ts'
import { agentName } from './history/grants.ts'
import { silentLogger } from './logger.ts'
import { openMcpClient } from './mcp/open-mcp-client.ts'
import type { AgentServer } from './policy/agent-server.ts'
import type { ApprovalMode } from './policy/approval.ts'
import { nameCollisions } from './policy/registration.ts'
import type { ConfiguredTool } from './policy/tool-config.ts'
import { warnOfBareNames } from './policy/trust.ts'
import { unusedEntries } from './policy/unused-entries.ts'
import { createRedactor, type Redactor } from './secrets/redact.ts'
import { isSecretName, secretsOf } from './secrets/secrets-of.ts'
import { probeServers, type ServerProbes } from './session/probe-servers.ts'

/** What there is to say of an agent before anyone uses it. Plain data, without a secret in it. */
export interface AgentCheck {
  /** Under which name its grants are kept. */
  readonly name: string
  readonly approvalMode: ApprovalMode
  readonly servers: readonly CheckedServer[]
  /** The tools of `localTools`, where servers are connected too: looking at them runs their code. */
  readonly localTools: readonly ExplainedTool[]
  /** What keeps the agent from starting. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

export interface CheckAgentOptions {
  /** The agent file; without one the built-in agent, and what the environment says. */
  readonly file?: string
  readonly env?: Environment
  /** Starts the servers, and ends them again. */
  readonly connect?: boolean
  /** Called at the start and whenever a server has settled. */
  readonly onProgress?: (settled: number, all: number) => void
}

/** Says whether an agent would start, and what it would be made of. Throws `config.*` for a file that cannot be used at all. */
export async function checkAgent(options: CheckAgentOptions = {}): Promise<AgentCheck> {
  const { file: path, env = processEnvironment(), connect = false, onProgress } = options
  const loaded = await loadAgentFile(path, env)
  const { file, sourceOf } = loaded
  const { servers, configured } = describeServers(loaded)
  const redactor = knowSecrets(loaded, servers, env)
  const isEnabled = ({ server }: AgentServer) => file.mcpServers[server.name]?.enabled === true

  const local = connect ? await checkLocalTools(loaded, path, configured) : findLocalTools(loaded, path)
  const { probes, failure } = connect ? await probe(servers.filter(isEnabled), configured, redactor, onProgress) : nothingProbed
  const findings = servers.map((server) =>
    checkServer({
      server,
      enabled: isEnabled(server),
      probe: probes.find(({ name }) => name === server.server.name),
      configured,
      sourceOf,
      redactor,
    }),
  )
  const found = findings.flatMap(({ problems }) => problems)
  const offers = new Map(probes.map(({ name, tools }) => [name, tools]))
  const knowsAll = connect && probes.every(({ status }) => status.state === 'connected')
  const unused = unusedEntries({
    configured,
    servers: Object.keys(file.mcpServers),
    offered: knowsAll ? [...local.tools.map(({ name }) => name), ...[...offers.values()].flat()] : undefined,
  })

  return {
    name: agentName(file.name),
    approvalMode: file.approval.mode,
    servers: findings.map(({ server }) => server),
    localTools: local.tools,
    // A start ends at the first of them and says it in these words; here all are wanted.
    problems: [...local.problems, ...(failure === undefined ? [] : [failure]), ...found.filter((text) => failure?.includes(text) !== true)],
    warnings: [
      ...warnOfBareNames(file.approval.trustedTools),
      ...findings.flatMap(({ warnings }) => warnings),
      ...nameCollisions(offers).map(({ message }) => message),
      ...unused.map(({ index, message }) => `${sourceOf(['toolbox', 'tools', index])}: ${message}`),
    ],
  }
}

/** All servers of the file: one that is switched off is told of, too. */
function describeServers({ file }: LoadedAgentFile): { servers: readonly AgentServer[]; configured: readonly ConfiguredTool[] } {
  const mcpServers = Object.fromEntries(Object.entries(file.mcpServers).map(([name, entry]) => [name, { ...entry, enabled: true }]))
  const { mcpServers: servers = [], toolbox } = toAgentConfig({ ...file, mcpServers })
  return { servers, configured: toolbox?.tools ?? [] }
}

function knowSecrets({ file }: LoadedAgentFile, servers: readonly AgentServer[], env: Environment): Redactor {
  const redactor = createRedactor()
  const named = Object.entries(env).flatMap(([name, value]) => (isSecretName(name) && value !== undefined ? [value] : []))
  const keys = Object.values(file.providers ?? {}).map(({ apiKey }) => apiKey ?? '')
  for (const secret of [...named, ...keys, ...secretsOfFile(file), ...servers.flatMap(({ server }) => secretsOf(server))])
    redactor.add(secret)
  return redactor
}

const nothingProbed: ServerProbes = { probes: [], failure: undefined }

async function probe(
  servers: readonly AgentServer[],
  configured: readonly ConfiguredTool[],
  redactor: Redactor,
  onProgress: CheckAgentOptions['onProgress'],
): Promise<ServerProbes> {
  let settled = 0
  onProgress?.(settled, servers.length)
  const logger = silentLogger
  return probeServers(
    {
      servers,
      configured,
      openClient: (config, host) => openMcpClient({ config, host, logger, redactor }),
      logger,
      redactor,
    },
    () => onProgress?.(++settled, servers.length),
  )
}
