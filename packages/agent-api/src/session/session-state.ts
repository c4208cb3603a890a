import type { History } from '../history/history.ts'
import type { SessionLog } from '../history/session-entry.ts'
import type { SessionId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Timing } from '../base/timing.ts'
import type { McpClient, McpHost, McpPromptDefinition } from '../mcp/mcp-client.ts'
import type { Logins } from '../mcp/oauth/logins.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { FileChanges } from '../messages/file-change.ts'
import type { LoginOffers } from './login-offers.ts'
import type { AskBothOptions } from './ask-both.ts'
import type { Conversation } from '../messages/conversation.ts'
import type { Cost, ServerReport } from '../messages/turn-event.ts'
import type { AgentServer, SessionServerPolicy } from '../policy/agent-server.ts'
import type { Approval } from '../policy/approval.ts'
import type { BuiltinSettings } from '../policy/builtin-tools.ts'
import type { CallLimits } from '../policy/call-limits.ts'
import type { Approver } from '../policy/approver.ts'
import type { Gate } from '../policy/gate.ts'
import type { GrantStore } from '../policy/grant-store.ts'
import { nameCollisions, type NameCollision } from '../servers/name-collisions.ts'
import type { Slots } from '../base/slots.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { Model, ModelChoice } from '../provider/model.ts'
import type { ThoughtLevel } from '../provider/thought-level.ts'
import { getIncludedTools, mergeMcpClients, ownerOf, shadowedServers, type McpClients } from '../servers/provider-helper.ts'
import { limitTools } from '../tools/limit-tools.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { selectTools } from '../tools/select-tools.ts'
import type { ServerSet } from '../servers/server-set.ts'
import type { AskedSession, SharedQuestions } from '../servers/shared-questions.ts'
import type { BuiltinTools } from './builtin-tools.ts'
import type { Membranes } from './membranes.ts'
import type { SessionChange } from './chat-session.ts'
import type { ResourceServer, SessionResources } from './session-resources.ts'
import type { SessionMemory } from './session-memory.ts'
import type { SessionSkills } from './session-skills.ts'
import type { SessionResults } from './session-results.ts'
import type { Settings } from './settings.ts'
import type { StartConsent } from './start-consent.ts'
import { toServerReport } from '../servers/server-report.ts'

/** The models that a session can choose from. */
export interface KnownModels {
  /** Throws `model.unknown` or `model.no_key` for a model that cannot be opened. */
  checkId(id: string): void
  /** All known models, also those that are not in the menu. */
  listAll(): readonly ModelChoice[]
  /** The menu. */
  list(): readonly ModelChoice[]
  /** Empty for a model that cannot be opened. */
  thoughtLevels(id: string): readonly ThoughtLevel[]
  /** The number of tools that a model's vendor accepts. Undefined if the model has no vendor. */
  toolLimit(id: string): { readonly max: number; readonly vendorName: string } | undefined
  /** Called when the lists change. */
  onChange(listener: () => void): () => void
}

/** A slash command of the agent file. */
export interface CustomCommand {
  readonly name: string
  readonly description: string
  /** `$ARGUMENTS` stands for the text after the name. */
  readonly prompt: string
  readonly hint?: string
}

/** The agent's part of a session. */
export interface AgentSide {
  readonly systemPrompt: string | undefined
  readonly stepsMax: number
  readonly connectWaitMs: number
  readonly toolBudget: number
  /** Room is made when this part of the context window is filled. */
  readonly compactAt: number
  readonly projectInstructions: boolean
  readonly skills: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The person's home directory. */
  readonly home: string | undefined
  /** Undefined if nothing is stored. */
  readonly stateDir: string | undefined
  readonly commands: readonly CustomCommand[]
  readonly servers: ServerSet<AgentServer>
  /** Rejects if a server prevents the agent from starting. */
  readonly checked: Promise<void>
  /** The requests of the agent's servers to its sessions. */
  readonly questions: SharedQuestions
  /** The agent's servers that cannot be connected. */
  readonly rejectedServers: () => readonly { readonly server: string; readonly reason: string }[]
  readonly limits: CallLimits
  /** Slots for all calls of all sessions. */
  readonly callSlots: Slots
  readonly tools: readonly OfferedTool[]
  readonly configured: readonly ConfiguredTool[]
  readonly builtinTools: BuiltinSettings
  readonly ownFiles: readonly string[]
  readonly sessionPolicy: SessionServerPolicy
  /** Applies to new sessions. */
  readonly approval: Approval
  /** The name under which its data is stored. */
  readonly name: string
  readonly history: History
  readonly grants: GrantStore
  readonly openClient: (config: McpServerConfig, host: McpHost) => McpClient
  /** Undefined if nothing is stored. */
  readonly logins: Logins | undefined
  /** The logins that a session offers right now, by the address of the server. Others wait for them instead of offering the same one. */
  readonly openLoginOffers: Map<string, Promise<boolean>>
  readonly models: KnownModels
  readonly openModel: (id: string) => Promise<Model>
  /** The model for side work, if one is configured. `openSideModel` opens it. */
  readonly smallModel: string | undefined
  readonly timing: Timing
  readonly logger: Logger
  readonly membranes: Membranes
}

/** The state of one session, which ends with it. */
export interface SessionState {
  readonly agent: AgentSide
  readonly id: SessionId
  readonly log: SessionLog
  readonly cwd: string
  /** The state that prompts change. Everything else in the session stays as it is if a prompt counts as not sent. */
  readonly memory: SessionMemory
  readonly conversation: Conversation
  /** The places of tools in the list for the model, by key. */
  readonly toolOrder: Map<string, number>
  readonly skills: SessionSkills
  /** The cost of the session so far, where prices are known. */
  readonly cost: { current: Cost | undefined }
  readonly servers: ServerSet<SessionServerPolicy>
  readonly limits: CallLimits
  readonly rejectedServers: readonly { readonly server: string; readonly reason: string }[]
  readonly builtin: BuiltinTools
  readonly tools: readonly OfferedTool[]
  readonly settings: Settings
  readonly gate: Gate
  /** Servers that the person disabled: their tools, prompts and instructions are left out. */
  readonly disabledServers: Set<string>
  readonly approver: Approver | undefined
  /** Sends questions to the console. */
  readonly asking: AskBothOptions
  /** The files that built-in tools have changed. */
  readonly changes: FileChanges
  readonly results: SessionResults
  /** Answers the agent's servers during calls of this session. */
  readonly asked: AskedSession
  /** Asks the person, on behalf of a server. Undefined if no person can be asked. */
  readonly elicit: McpHost['elicit'] | undefined
  readonly resources: SessionResources
  readonly startConsent: StartConsent
  /** Undefined if no login page can be shown. */
  loginOffers: LoginOffers | undefined
  /** Tools that the person added. */
  readonly addedTools: Set<string>
  /** Tells listeners of a change. */
  readonly tell: (what: SessionChange) => void
  /** A note for the person in the report. */
  note: string | undefined
}

export function clientsOf({ agent, servers }: SessionState): McpClients {
  return mergeMcpClients(agent.servers.clients, servers.clients)
}

/** The servers that the person has not disabled. */
export function enabledClients(state: SessionState): McpClients {
  return new Map([...clientsOf(state)].filter(([name]) => !state.disabledServers.has(name)))
}

/** All usable tools, offered or not. */
export function toolsOf({ agent, servers, tools, builtin, skills, disabledServers, resources }: SessionState): OfferedTool[] {
  const local = [...builtin.tools, ...skills.tools, ...agent.tools, ...tools]
  const all = [...getIncludedTools(local, agent.servers, servers), ...resources.tools()]
  return disabledServers.size === 0 ? all : all.filter(({ home }) => home.type === 'local' || !disabledServers.has(home.client.name))
}

/** The servers whose resources may be read. A strict server offers only what is configured, which resources are not. */
export function resourceServersOf(agent: AgentSide, servers: SessionState['servers'], disabled: ReadonlySet<string>): ResourceServer[] {
  return [...mergeMcpClients(agent.servers.clients, servers.clients).values()].flatMap((client): ResourceServer[] => {
    if (disabled.has(client.name)) return []
    const { owner } = ownerOf(client.name, agent.servers, servers)
    const isStrict = owner === 'agent' && agent.servers.policies.get(client.name)?.mode === 'strict'
    return isStrict ? [] : [{ client, owner }]
  })
}

export interface OfferedPrompt {
  readonly client: McpClient
  readonly prompt: McpPromptDefinition
}

/** The prompts that are slash commands. */
export function promptsOf(state: SessionState): OfferedPrompt[] {
  const { agent, servers } = state
  return [...enabledClients(state).values()].flatMap((client) => {
    const { owner } = ownerOf(client.name, agent.servers, servers)
    const chosen = owner === 'agent' ? agent.servers.policies.get(client.name)?.prompts : undefined
    return client.prompts.filter(({ name }) => chosen?.includes(name) !== false).map((prompt) => ({ client, prompt }))
  })
}

/** Warnings about shadowed servers and about tools that share a name. */
export function nameWarnings(state: SessionState): NameCollision[] {
  const { agent, servers } = state
  const shadowed = shadowedServers(agent.servers.clients, servers.clients)
  const admitted = (name: string) => ownerOf(name, agent.servers, servers).servers.admitted(name).keys()
  return [
    ...shadowed.map((name) => ({
      servers: [name],
      message: `The editor's server '${name}' overrides the agent's server of that name.`,
    })),
    ...nameCollisions(new Map([...clientsOf(state).keys()].map((name) => [name, admitted(name)]))),
  ]
}

export function reportOf(state: SessionState): ServerReport {
  const { warning } = state.agent.history
  return toServerReport({
    clients: enabledClients(state),
    rejected: [...state.agent.rejectedServers(), ...state.rejectedServers],
    notes: [warning, state.note, noteOfToolLimit(state), ...nameWarnings(state).map(({ message }) => message)].filter(
      (note) => note !== undefined,
    ),
  })
}

/** Explains that the vendor of the model takes fewer tools than the session has. */
function noteOfToolLimit(state: SessionState): string | undefined {
  const limit = state.agent.models.toolLimit(state.settings.current.model)
  if (limit === undefined || limit.max === Infinity) return undefined
  const { offered } = selectTools(toolsOf(state), { added: state.addedTools, found: new Set() })
  const { left } = limitTools(offered, new Set(), limit.max)
  if (left.length === 0) return undefined
  const rest = `The model finds the other ${left.length} with find_tools.`
  return `${limit.vendorName} takes at most ${limit.max} tools, and this session has ${offered.length}. ${rest} /mcp disable NAME makes room.`
}
