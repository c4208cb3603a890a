import { processEnvironment } from './config/environment.ts'
import { silentLogger, type Logger } from './logger.ts'
import type { McpClient, McpHost } from './mcp/mcp-client.ts'
import { openMcpClient } from './mcp/open-mcp-client.ts'
import type { McpServerConfig } from './mcp/server-config.ts'
import type { ApprovalMode } from './policy/approval.ts'
import { availableModels, chooseModel } from './provider/choose-model.ts'
import type { Model, ModelChoice, ModelSettings, ProviderConfig } from './provider/model.ts'
import { createRedactor, type Redactor } from './secrets/redact.ts'
import { isSecretName, secretsOf } from './secrets/secrets-of.ts'
import type { ChatSession, SessionOptions } from './session/chat-session.ts'
import { openSession } from './session/open-session.ts'
import { openServerGroup } from './session/server-group.ts'
import type { AgentSide } from './session/session-state.ts'
import type { Tool } from './tools/tool.ts'

export interface AgentConfig {
  readonly systemPrompt?: string
  /** `provider/model`; when unset `OSTLER_MODEL`, then the first vendor with a key, then `offline`. */
  readonly model?: string
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  /** Where keys and base URLs are looked up. The process's own environment when unset. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The agent's own servers, shared by its sessions. */
  readonly mcpServers?: readonly McpServerConfig[]
  readonly tools?: readonly Tool[]
  readonly mode?: ApprovalMode
  readonly maxSteps?: number
  /** How long the first step of a prompt waits for servers that are still connecting. */
  readonly connectWaitMs?: number
  readonly logger?: Logger
  readonly redactor?: Redactor
}

/** Dispose it to end its sessions and servers. */
export interface Agent extends AsyncDisposable {
  createSession(options: SessionOptions): ChatSession
  /** What the model menu offers: every entry can be selected. */
  models(): readonly ModelChoice[]
}

const stepsMaxDefault = 100
const connectWaitMsDefault = 5_000

/** Starts the agent's own servers and returns at once; sessions and servers end with `[Symbol.asyncDispose]()`. */
export function createAgent(config: AgentConfig = {}): Agent {
  const { logger = silentLogger, redactor = createRedactor(), mode = 'always-ask' } = config
  const settings: ModelSettings = { providers: config.providers ?? {}, env: config.env ?? processEnvironment() }
  const sessions = new Set<ChatSession>()
  const models = new Map<string, Promise<Model>>()
  for (const provider of Object.values(settings.providers)) redactor.add(provider.apiKey ?? '')
  for (const [name, value] of Object.entries(settings.env)) if (isSecretName(name)) redactor.add(value ?? '')
  const agentHost: McpHost = { cwd: process.cwd(), roots: [] }

  const side: AgentSide = {
    systemPrompt: config.systemPrompt,
    stepsMax: config.maxSteps ?? stepsMaxDefault,
    connectWaitMs: config.connectWaitMs ?? connectWaitMsDefault,
    servers: openServerGroup((server) => openClient(server, agentHost), config.mcpServers ?? []),
    tools: config.tools ?? [],
    openClient,
    openModel,
    logger,
    redactor,
  }

  function openClient(server: McpServerConfig, host: McpHost): McpClient {
    for (const secret of secretsOf(server)) redactor.add(secret)
    return openMcpClient({ config: server, host, logger, redactor })
  }

  /** A model is opened once. One that could not be is tried again: the person may have set the key by then. */
  function openModel(id: string): Promise<Model> {
    const opened = models.get(id) ?? import('./provider/open-model.ts').then((provider) => provider.openModel(id, settings))
    models.set(id, opened)
    opened.catch(() => models.delete(id))
    return opened
  }

  return {
    createSession(options) {
      const model = options.model ?? chooseModel(config.model, settings)
      const session = openSession(side, { ...options, model, mode: options.mode ?? mode }, () => sessions.delete(session))
      sessions.add(session)
      return session
    },
    models: () => availableModels(settings),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions].map((session) => session[Symbol.asyncDispose]()))
      await side.servers[Symbol.asyncDispose]()
    },
  }
}
