import type { AgentServer, McpClient, ToolArguments, ToolResult } from '@ostler/agent-api'
import type {
  FenceReport,
  SecretStoreState,
  ToolCallId,
  ConnectPhases,
  ServerQuestion,
  McpPromptDefinition,
  McpResource,
  McpSampling,
  McpStatus,
  McpServerIdentity,
  McpToolDefinition,
  AdmittedTools,
  KeptMessage,
  McpLogEntry,
  StderrLine,
  LogInOptions,
  LoggedOut,
  McpLogLevel,
  ToolCallEnd,
  ServerPin,
  EffectiveToolConfig,
  ServerPolicy,
  MarkedSecrets,
  SecretDescription,
  SecretStoreKind,
  SandboxSettings,
} from '@ostler/agent-api/internal'

/** A UUID for a stored one, `file:NAME` for one of the agent file. */
export type ServerId = string

export type ServerEntryInput = Readonly<Record<string, unknown>>

/** The MCP servers of one agent as they are written: those of its file, which are read-only, and the stored ones. Connects nothing. */
export interface ServerList extends Disposable {
  /** Asking tries the system keyring, which may prompt for a password. */
  secretStore(): Promise<SecretStoreState>
  /** Servers of the agent file in their order, then stored ones by name. */
  listServers(): Promise<readonly ServerView[]>
  /** By its id, or by the name that the agent would use. Throws `servers.unknown`. */
  getServer(idOrName: string): Promise<ServerView>
  /**
   * Stores a server, or nothing if it throws: `config.invalid` with `data.issues` (`ServerIssue[]`), `servers.name_taken`, or `secrets.*`.
   */
  addServer(server: NewServer): Promise<ServerView>
  /** Throws like `addServer`, and `servers.unknown`, `servers.changed`, or `servers.read_only` for a server of the agent file. */
  updateServer(id: ServerId, updates: ServerUpdates): Promise<ServerView>
  /** With its secrets. Throws `servers.unknown` or `servers.read_only`. */
  removeServer(id: ServerId): Promise<RemovedServer>
  /** With their secrets, for export. Throws if one cannot be read. */
  revealServers(): Promise<ReadonlyMap<ServerId, ServerEntryInput>>
}

export interface ServerService
  extends Omit<ServerList, 'revealServers' | typeof Symbol.dispose>, AsyncDisposable {
  /** Throws `servers.unknown`. */
  server(id: ServerId): Server
  /**
   * Continues with another agent file, or another version of it. Connections stay, except those to servers of the file that have changed.
   * Throws `config.*`, and changes nothing then.
   */
  useFile(path: string | undefined): Promise<void>
  listPolicies(): Promise<readonly PolicyView[]>
  /** Connects a draft and ends it again. With an `id`, it may refer to that server's stored secrets. */
  testServer(
    draft: NewServer & { readonly id?: ServerId },
    options?: RequestOptions,
  ): Promise<ServerCapabilities>
  /** Starts a local server in a sandbox that refuses what no setting allows, and reports what it wanted. Leaves nothing running. */
  learnSandbox(idOrName: string, options?: RequestOptions): Promise<LearnedSandbox>
  /**
   * Shows how Ostler sees a server, found by id or name, or described by a draft: the handshake of each generation of MCP, its lists, and
   * the outcome of each tool that only reads and needs no arguments. Leaves nothing running.
   */
  examineServer(target: string | NewServer, options?: RequestOptions): Promise<ServerExamination>
  /**
   * Logs in to a remote server, found by id, name or URL. All connections use the login from then on, also those of other processes.
   * Returns the store of the login. Throws `login.*`, `servers.unknown` or `secrets.*`.
   */
  logIn(target: string, options: LogInOptions & RequestOptions): Promise<SecretStoreKind>
  logOut(target: string, options?: RequestOptions): Promise<LoggedOut>
  /**
   * Called after a change of stored servers by any process, or of a connection of this service. Returns a
   * function that stops it.
   */
  onChange(listener: () => void): () => void
}

/** One server. What it asks, logs and sends is kept if the service is opened with `isWatched`. */
export interface Server {
  readonly id: ServerId
  /** Of this service's connection; running agents have their own. */
  readonly status: ConnectionStatus
  /** Connects it, unless it is connected. Throws `mcp.*` with the reason; `data.output` is the server's last output. */
  use(options?: RequestOptions): Promise<ServiceConnection>
  disconnect(): Promise<void>
  /** Takes the same path as every call; the rule that allowed it is the person's request. A failure of the tool is a result. */
  call(tool: string, args: ToolArguments, options: CallToolOptions): Promise<ServiceCallResult>
  /** Its questions are asked only while it is watched, and cancelled when the last watcher leaves. Returns a function that stops. */
  watch(listener: (news: ServerNews) => void): () => void
  questions(): readonly PersonQuestion[]
  /** Throws `servers.question_closed`, or `servers.answer_invalid`. */
  answer(question: string, answer: PersonAnswer): void
  /** While it is connected, changes of these resources are news. */
  subscriptions(): readonly string[]
  subscribe(uri: string, options?: RequestOptions): Promise<void>
  unsubscribe(uri: string): void
  /** The end of its log and of its stderr output, also of a failed attempt. Connects nothing. */
  log(): ServerLogView
  /** Also of an attempt that failed. */
  protocol(search?: string): Promise<ProtocolView>
  /** Throws `servers.message_gone`. */
  message(seq: number): ProtocolMessageDetail
  /** Sends a request of this connection again. A call takes the path of every call. Throws `servers.message_gone`, or `servers.no_replay`. */
  replay(seq: number, options: CallToolOptions): Promise<void>
}

/** A connected server, with the tools that the agent would admit. */
export interface ServiceConnection {
  readonly server: AgentServer
  readonly client: McpClient
  readonly admitted: () => AdmittedTools
  /** At the last listing. */
  resources?: number
  /** Of the definitions of its tools, at the last listing. */
  tokens?: number
}

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface NewServer {
  readonly name: string
  /** Defaults to `mode: dynamic` and an empty `defaultToolConfig`. Contains secrets in plain text. */
  readonly entry: ServerEntryInput
  /** Secret regardless of their names. */
  readonly secret?: MarkedSecrets
}

export interface ServerUpdates {
  readonly name?: string
  /**
   * Fields to replace; `null` removes one. A placeholder (`${secret:LABEL}`) keeps the stored value. Changing `type` removes fields that do
   * not apply.
   */
  readonly entry?: ServerEntryInput
  readonly secret?: MarkedSecrets
  readonly enabled?: boolean
}

/** Plain data without secrets. */
export interface ServerView {
  readonly id: ServerId
  readonly name: string
  readonly description?: string
  readonly origin: 'file' | 'stored'
  /** The agent file has a server of this name, which the agent uses instead. */
  readonly shadowed: boolean
  readonly enabled: boolean
  readonly transport: 'stdio' | 'http' | 'sse'
  /** With placeholders for secrets. */
  readonly entry: ServerEntryInput
  readonly secrets: readonly SecretView[]
  /** Undefined without secrets, or for a server of the agent file. */
  readonly secretStore?: SecretStoreKind
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly lastConnectedAt?: string
  readonly status: ConnectionStatus
  /** Undefined for a server whose entry contains credentials. */
  readonly login?: 'done' | 'needed'
  /** If known. */
  readonly tools?: number
  /** Of their definitions, as models read them. */
  readonly tokens?: number
  readonly prompts?: number
  readonly resources?: number
  /** The fence in which its process really runs. */
  readonly fence?: FenceReport
}

/** Without secrets. */
export interface PolicyView {
  readonly name: string
  readonly origin: 'file' | 'stored'
  readonly enabled: boolean
  readonly policy: ServerPolicy & { readonly trusted?: boolean | undefined }
  /** The server as grants are bound to it. Undefined if its secrets or variables cannot be read. */
  readonly pin?: ServerPin
  /** If this service is connected to it. */
  readonly tools?: readonly McpToolDefinition[]
}

/** `name` is the label in the placeholder: `env.TOKEN`. */
export interface SecretView extends SecretDescription {
  readonly name: string
}

export interface ConnectionStatus {
  readonly state: McpStatus['state']
  /** May end with the server's last output. */
  readonly reason?: string
  readonly willRetry?: boolean
  /** The person must run `ostler mcp login`. Then the connection is retried. */
  readonly needsLogin?: true
  /** Tools and other items that were left out, and why. */
  readonly warnings?: readonly string[]
}

export interface ServerExamination {
  readonly generations: readonly ExaminedGeneration[]
  /** In the newest generation that works. Undefined if none does. */
  readonly offer?: Pick<ServerCapabilities, 'prompts' | 'resources' | 'warnings' | 'log'> & {
    readonly capabilities: readonly string[]
    readonly tools: readonly McpToolDefinition[]
    readonly calls: readonly ExaminedCall[]
  }
}

export interface ExaminedGeneration {
  /** `legacy` is every revision up to 2025-11-25. */
  readonly generation: string
  readonly isConnected: boolean
  readonly protocolVersion?: string
  readonly server?: { readonly name: string; readonly version: string }
  readonly phases?: ConnectPhases
  readonly reason?: string
}

export interface ExaminedCall {
  readonly tool: string
  /** `failed`: the server did not answer with a result. `tool_error`: the result says that the tool failed. */
  readonly outcome: 'success' | 'tool_error' | 'failed'
  readonly ms: number
  /** Kinds of content. */
  readonly contents: readonly string[]
  readonly reason?: string
}

export interface LearnedSandbox {
  /** Why it failed. */
  readonly reason?: string
  /** Hosts and directories that it wanted, and that a person can allow. */
  readonly hosts: readonly string[]
  readonly paths: readonly string[]
  /** Its setting, with these. */
  readonly sandbox: SandboxSettings
}

export interface ServerCapabilities {
  readonly tools: readonly DiscoveredTool[]
  readonly resources: readonly McpResource[]
  /** Their `uri` has places for arguments: `note://{day}`. */
  readonly templates: readonly McpResource[]
  readonly prompts: readonly McpPromptDefinition[]
  /** `tools`, `tools.listChanged`. */
  readonly declared: readonly string[]
  readonly server: McpServerIdentity
  readonly phases: ConnectPhases
  /** Tools that were left out, and why. */
  readonly warnings: readonly string[]
  readonly log: ServerLogView
}

export type ServerNews =
  | { readonly of: 'questions' | 'protocol' | 'subscriptions' }
  | { readonly of: 'resource'; readonly uri: string }

export interface PersonQuestion {
  readonly id: string
  readonly askedAt: string
  readonly asked: ServerQuestion | ({ readonly kind: 'sampling' } & McpSampling)
}

export type PersonAnswer =
  | { readonly action: 'decline' | 'cancel' }
  /** The answer to a form, or the consent to open a page. */
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  /** The answer in place of a model. */
  | { readonly action: 'say'; readonly model: string; readonly text: string }

export interface ProtocolView {
  /** Oldest first. */
  readonly messages: readonly ProtocolMessage[]
  /** Number of messages that were dropped, or came too fast. */
  readonly leftOut: number
}

export interface ProtocolMessage extends Readonly<Omit<KeptMessage, 'at' | 'json'>> {
  readonly at: string
  readonly canReplay: boolean
}

export interface ProtocolMessageDetail extends ProtocolMessage {
  /** Without secrets. */
  readonly message: unknown
}

/** Cleaned and redacted. */
export interface ServerLogView {
  /** The lowest severity that is requested. */
  readonly level: McpLogLevel
  /** Oldest first. */
  readonly entries: readonly McpLogEntry[]
  /** Oldest first. */
  readonly stderr: readonly StderrLine[]
}

export interface DiscoveredTool extends McpToolDefinition {
  /** Undefined for a tool that is not admitted. */
  readonly config?: EffectiveToolConfig
  /** Why it is not admitted: a list of its server leaves it out, or the server is strict. */
  readonly leftOut?: string
  /** The size of its definition, and of its name and first sentence, which are sent while its schema waits. */
  readonly tokens?: number
  readonly waitingTokens?: number
}

export interface CallToolOptions extends RequestOptions {
  /** Recorded as the rule of the call. */
  readonly origin: 'command' | 'console'
  /** Without progress. Defaults to the configured timeout. */
  readonly timeoutMs?: number
  readonly onProgress?: (text: string) => void
  /** The result is not cut. The history still stores a limited part. */
  readonly whole?: boolean
}

export interface ServiceCallResult {
  readonly callId: ToolCallId
  readonly outcome: ToolCallEnd
  readonly result: ToolResult
}

export interface RemovedServer {
  /** Something that could not be deleted, such as a secret in a locked keyring. */
  readonly warning?: string
}
