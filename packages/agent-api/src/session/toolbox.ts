import { join } from 'node:path'
import type { Slots } from '../base/slots.ts'
import { definitionKey } from '../policy/definition-key.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { embeddedIcons, type Icon, type PastSearch, type ToolRef } from '../messages/tool.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import type { AgentServer, SessionServerPolicy } from '../policy/agent-server.ts'
import type { CallFacts } from '../policy/approval.ts'
import type { BuiltinSettings } from '../workspace/builtin-tools.ts'
import { createCallLimits, type CallLimits } from '../policy/call-limits.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { DefinitionReview } from '../servers/definition-reviews.ts'
import type { ServerAsWritten } from '../servers/lock/apply-locks.ts'
import { lockFileName } from '../servers/lock/load-lock.ts'
import { nameCollisions, type NameCollision } from '../servers/name-collisions.ts'
import {
  getIncludedTools,
  mergeMcpClients,
  ownerOf,
  shadowedServers,
  type McpClients,
} from '../servers/merge-servers.ts'
import type { noteLiveServers } from '../servers/note-live-servers.ts'
import { toServerReport } from '../servers/server-report.ts'
import { openServerSet, type ServerSet } from '../servers/server-set.ts'
import type { AskedSession, SharedQuestions } from '../servers/shared-questions.ts'
import { factsOf } from '../tools/call-facts.ts'
import { isManual, searchableTools, toolKey } from '../tools/select-tools.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { admitBuiltinTools, openBuiltinTools, type BuiltinTools } from '../workspace/open-builtin-tools.ts'
import type { ToolLimit } from '../provider/models.ts'
import type { SearchRefusals } from '../provider/stream-model.ts'
import { createSessionResources, type ResourceServer, type SessionResources } from './session-resources.ts'
import { createSessionResults, type SessionResults } from './session-results.ts'
import { localToolsOf } from '../policy/local-tools.ts'
import type { SessionOptions } from './chat-session.ts'
import type { PromptRunner } from './prompt-runner.ts'
import type { Session, SharedParts } from './session.ts'
import { createLockedClients, type LockedClients } from './locked-clients.ts'
import { createOffTools, describeOff, type OffTools } from './off-tools.ts'
import type { OpenedRecord } from './session-record.ts'
import type { ToolSizes } from './tool-sizes.ts'

export interface SharedTools {
  readonly servers: ServerSet<AgentServer>
  readonly live: ReturnType<typeof noteLiveServers>
  /** Rejects if a server prevents the agent from starting. */
  readonly checked: Promise<void>
  readonly rejected: () => ServerReport['failed']
  readonly questions: SharedQuestions
  readonly openClient: (config: McpServerConfig, host: McpHost) => McpClient
  readonly reviewOf: (client: McpClient) => DefinitionReview | undefined
  readonly local: readonly OfferedTool[]
  readonly limits: CallLimits
  readonly callSlots: Slots
  readonly configured: readonly ConfiguredTool[]
  readonly builtin: BuiltinSettings
  readonly ownFiles: readonly string[]
  readonly lockFile: string | undefined
  readonly policy: SessionServerPolicy
  /** Number of searchable tools that are offered for one prompt. */
  readonly budget: number
  readonly connectWaitMs: number
}

export interface Toolbox {
  /** The folder in which the session's servers start. */
  readonly cwd: string
  readonly shared: SharedTools
  readonly servers: ServerSet<SessionServerPolicy>
  readonly locked: LockedClients
  readonly rejected: () => ServerReport['failed']
  readonly limits: CallLimits
  readonly builtin: BuiltinTools
  readonly local: () => readonly OfferedTool[]
  readonly resources: SessionResources
  readonly results: SessionResults
  /** Answers the agent's servers during calls of this session. */
  readonly asked: AskedSession
  /** Servers that the person disabled: their tools, prompts and instructions are left out. */
  readonly disabled: Set<string>
  readonly off: OffTools
  /** Undefined before the first request. */
  readonly sizes: { current: ToolSizes | undefined }
  readonly added: Set<string>
  /** The attempts to connect for which a prompt has already waited as long as it may. */
  readonly waitedFor: WeakSet<Promise<void>>
  readonly order: Map<string, number>
  readonly searchRefusedBy: SearchRefusals
  readonly pastSearches: () => readonly PastSearch[]
  /** The tools of servers that nearly every session of this folder calls. */
  readonly usualTools: () => readonly string[]
  readonly changed: () => void
}

export function openToolbox(
  { name, tools: shared, person: { stateDir }, state, timing, membranes, logger }: SharedParts,
  options: SessionOptions,
  {
    project,
    record,
    person,
    runner,
    changed,
  }: Pick<Session, 'project' | 'person'> &
    Pick<Toolbox, 'changed'> & { readonly record: OpenedRecord; readonly runner: PromptRunner },
): Toolbox {
  const { cwd, additionalDirectories } = project
  const { rejectedServers = [], sessionMcpServers = [], relay } = options
  const { configured, builtin: settings } = shared
  const roots = [cwd, ...additionalDirectories]
  const given = localToolsOf(options.tools ?? [], configured)
  const tools = admitBuiltinTools(given, configured, settings)
  const host = {
    cwd,
    roots,
    relay,
    prepareStart: person.startConsent.prepareStart,
    askHost: person.askHost,
    ...runner.hostOf('session'),
  }
  const lockPaths = new Set([shared.lockFile ?? [], join(cwd, lockFileName)].flat())
  const locked = createLockedClients(lockPaths, (client) => asWritten({ shared, servers }, client))
  const servers: Toolbox['servers'] = openServerSet({
    open(config) {
      const refusal = locked.refusalOf({ owner: 'editor', name: config.name, written: config })
      const client = shared.openClient(config, { ...host, refusal })
      client.wake()
      return client
    },
    configured,
    logger,
    // A strict agent file admits the tools that it names. The editor's servers usually have others.
    onViolation({ sentences }) {
      for (const sentence of sentences) logger.warn(sentence)
    },
  })
  for (const config of sessionMcpServers) servers.addSoon(sandboxed(config, shared.policy), shared.policy)
  const disabled = new Set<string>()
  return {
    cwd,
    shared,
    servers,
    locked,
    rejected: () => [...shared.rejected(), ...rejectedServers],
    limits: createCallLimits(shared.callSlots),
    builtin: openBuiltinTools({
      roots,
      ownFiles: shared.ownFiles,
      stateDir,
      askHost: (host, signal) => person.askHost({ server: undefined, host }, signal),
      isFenced: () => record.settings.current.mode === 'fenced',
      editor: options.workspace,
      configured,
      settings,
      changes: record.fileChanges,
      memory: record.memory,
      runTask: runner.runTask,
      others: [...shared.local.map(({ tool }) => tool), ...given],
      timing,
      logger,
      cleaner: membranes.texts,
    }),
    local: () => [...project.skills.tools, ...shared.local, ...tools],
    resources: createSessionResources(
      () => resourceServersOf({ shared, servers, disabled, locked }),
      record.memory,
      membranes.calls,
    ),
    results: createSessionResults(record.id, record.state.calls.results, membranes.openStored),
    asked: { ...runner.hostOf('agent'), askHost: person.askHost },
    disabled,
    off: createOffTools(state.servers.off(name, cwd), cwd),
    sizes: { current: undefined },
    added: new Set(),
    waitedFor: new WeakSet(),
    order: new Map(),
    searchRefusedBy: new Set(),
    pastSearches: () => record.state.calls.searches(name, cwd),
    usualTools: () => record.state.calls.usualTools(name, cwd).map(toolKey),
    changed,
  }
}

function sandboxed(config: McpServerConfig, { sandbox }: SessionServerPolicy): McpServerConfig {
  return config.type === 'stdio' && sandbox !== undefined ? { ...config, sandbox } : config
}

type Servers = Pick<Toolbox, 'shared' | 'servers'>

export function clientsOf({ shared, servers }: Servers): McpClients {
  return mergeMcpClients(shared.servers.clients, servers.clients)
}

function asWritten(toolbox: Servers, client: McpClient): ServerAsWritten {
  const { name, config } = client
  const { owner } = ownerOf(name, toolbox.shared.servers, toolbox.servers)
  return owner === 'session'
    ? { owner: 'editor', name, written: config }
    : { owner, name, written: policyOf(toolbox, { client, owner })?.written ?? config }
}

type EnabledServers = Servers & Pick<Toolbox, 'disabled' | 'locked'>

/** Without what locks leave out. */
export function enabledClients(toolbox: EnabledServers): McpClients {
  const { disabled, locked } = toolbox
  const views = [...clientsOf(toolbox)].flatMap(([name, client]) => {
    const view = disabled.has(name) ? undefined : locked.view(client)
    return view === undefined ? [] : [[name, view] as const]
  })
  return new Map(views)
}

export function toolsOf(toolbox: Toolbox): OfferedTool[] {
  const { shared, servers, builtin, local, disabled, locked, resources } = toolbox
  return [
    ...getIncludedTools([...builtin.tools, ...local()], shared.servers, servers),
    ...resources.tools(),
  ].filter(
    ({ home, tool }) =>
      home.type === 'local' ||
      !(disabled.has(home.client.name) || locked.leavesOut(home.client, tool.ref.tool)),
  )
}

export interface CallableTools {
  readonly callable: readonly OfferedTool[]
  /** The model reads of these only when they match, because there are more than a prompt may bring. */
  readonly hidden: ReadonlySet<OfferedTool>
}

/** All but those that only a person adds. */
export function toCallable({ added, shared, results }: Toolbox, all: readonly OfferedTool[]): CallableTools {
  const isAdded = (entry: OfferedTool) => added.has(toolKey(entry.tool.ref))
  const searchable = searchableTools(all)
  return {
    callable: [...all.filter((entry) => !isManual(entry) || isAdded(entry)), ...results.tools],
    hidden: new Set(searchable.length > shared.budget ? searchable.filter((entry) => !isAdded(entry)) : []),
  }
}

/** True if the configuration or the person denies every call, so that the model need not know the tool. */
export function isDenied({ shared, off }: Pick<Toolbox, 'shared' | 'off'>, entry: OfferedTool): boolean {
  const { config, home } = entry
  const isSessions = home.type === 'server' && home.owner === 'session'
  return (
    (config.approval?.value ?? (isSessions ? shared.policy.approval : undefined)) === 'deny' || off.has(entry)
  )
}

/** True for a tool whose definition has changed, until the person accepts it. */
export function isHeld({ shared }: Pick<Toolbox, 'shared'>, { tool, home }: OfferedTool): boolean {
  if (home.type === 'local') return false
  return shared.reviewOf(home.client)?.isHeld(definitionKey('tool', { name: tool.ref.tool })) === true
}

/** A strict server offers only what is configured, and resources cannot be. */
function resourceServersOf(toolbox: EnabledServers): ResourceServer[] {
  return enabledServers(toolbox).filter((server) => policyOf(toolbox, server)?.mode !== 'strict')
}

export function enabledServers(toolbox: EnabledServers): ResourceServer[] {
  const { shared, servers } = toolbox
  return [...enabledClients(toolbox).values()].map((client) => {
    return { client, owner: ownerOf(client.name, shared.servers, servers).owner }
  })
}

/** The policy of a server of the agent. Undefined for one of the session. */
export function policyOf(
  { shared }: Pick<Toolbox, 'shared'>,
  { client, owner }: ResourceServer,
): AgentServer | undefined {
  return owner === 'agent' ? shared.servers.policies.get(client.name) : undefined
}

export function admittedBy({ shared, servers }: Servers, server: string): Iterable<string> {
  return ownerOf(server, shared.servers, servers).servers.admitted(server).keys()
}

export function nameWarnings(toolbox: Servers): NameCollision[] {
  const { shared, servers } = toolbox
  return [
    ...shadowedServers(shared.servers.clients, servers.clients).map((name) => ({
      servers: [name],
      message: `The editor's server '${name}' overrides the agent's server of that name.`,
    })),
    ...nameCollisions(
      new Map([...clientsOf(toolbox).keys()].map((name) => [name, admittedBy(toolbox, name)])),
    ),
  ]
}

export function reportOf(
  toolbox: Toolbox,
  limit: ToolLimit | undefined,
  notes: readonly (string | undefined)[],
  told: readonly string[],
): ServerReport {
  return toServerReport({
    clients: enabledClients(toolbox),
    rejected: [...toolbox.rejected(), ...toolbox.locked.refused(clientsOf(toolbox).values())],
    remarks: [...told, toolbox.sizes.current?.remark, describeOff(toolsOf(toolbox), toolbox.off)].filter(
      (remark) => remark !== undefined,
    ),
    notes: [
      ...notes,
      noteOfToolLimit(toolbox, limit),
      ...nameWarnings(toolbox).map(({ message }) => message),
      ...toolbox.locked.notes(clientsOf(toolbox).values()),
    ].filter((note) => note !== undefined),
  })
}

function noteOfToolLimit(toolbox: Toolbox, limit: ToolLimit | undefined): string | undefined {
  if (limit === undefined || limit.max === Infinity) return undefined
  const { callable, hidden } = toCallable(toolbox, toolsOf(toolbox))
  const count = callable.length - hidden.size
  if (count <= limit.max) return undefined
  const rest = `The model finds the other ${count - limit.max + 2} with find_tools.`
  return `${limit.vendorName} takes at most ${limit.max} tools, and this session has ${count}. ${rest} /mcp disable NAME makes room.`
}

/** The icons of a server's tool, or else of the server. An editor would load a remote one without asking. */
export function iconsOf(toolbox: Servers, { server, tool }: ToolRef): readonly Icon[] {
  const client = server === null ? undefined : clientsOf(toolbox).get(server)
  if (client === undefined) return []
  const own = embeddedIcons(client.tools.find(({ name }) => name === tool)?.icons)
  return own.length > 0 ? own : embeddedIcons(client.seen?.server.icons)
}

export function factsIn(toolbox: Toolbox, offered: OfferedTool): CallFacts {
  const { home } = offered
  if (home.type === 'local') return factsOf(offered)
  const context =
    home.owner === 'agent'
      ? { isTrusted: policyOf(toolbox, home)?.trusted === true }
      : { cwd: toolbox.cwd, approval: toolbox.shared.policy.approval }
  return { ...factsOf(offered, context), isOff: toolbox.off.has(offered) }
}
