import type { AgentServer, McpClient, ToolArguments, ToolResult } from '@ostler/agent-api'
import type {
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
} from '@ostler/agent-api/internal'

/** Id of a server: a UUID for a stored one, `file:NAME` for one of the agent file. */
export type ServerId = string

/** An entry of `mcpServers` as written in the agent file. */
export type ServerEntryInput = Readonly<Record<string, unknown>>

/** The MCP servers of one agent as they are written: those of its file, which are read-only, and the stored ones. Connects nothing. */
export interface ServerList extends Disposable {
  /** The store for secrets of stored servers. Asking tries the system keyring, which may prompt for a password. */
  secretStore(): Promise<SecretStoreState>
  /** Servers of the agent file in their order, then stored ones by name. */
  listServers(): Promise<readonly ServerView[]>
  /** Finds a server by its id, or by the name that the agent would use. Throws `servers.unknown`. */
  getServer(idOrName: string): Promise<ServerView>
  /**
   * Stores a server, or nothing if it throws: `config.invalid` with `data.issues` (`ServerIssue[]`), `servers.name_taken`, or `secrets.*`.
   */
  addServer(server: NewServer): Promise<ServerView>
  /** Throws like `addServer`, and `servers.unknown`, `servers.changed`, or `servers.read_only` for a server of the agent file. */
  updateServer(id: ServerId, updates: ServerUpdates): Promise<ServerView>
  /** Removes a server with its secrets. Throws `servers.unknown` or `servers.read_only`. */
  removeServer(id: ServerId): Promise<RemovedServer>
  /** The entries of all servers with their secrets, for export. Throws if one cannot be read. */
  revealServers(): Promise<ReadonlyMap<ServerId, ServerEntryInput>>
}

/** The same servers, for a person who connects them. */
export interface ServerService
  extends Omit<ServerList, 'revealServers' | typeof Symbol.dispose>, AsyncDisposable {
  /** The server with this id. Throws `servers.unknown`. */
  server(id: ServerId): Server
  /**
   * Continues with another agent file, or another version of it. Connections stay, except those to servers of the file that have changed.
   * Throws `config.*`, and changes nothing then.
   */
  useFile(path: string | undefined): Promise<void>
  /** The servers with what decides about calls of their tools. */
  listPolicies(): Promise<readonly PolicyView[]>
  /** Connects a draft and ends it again. With an `id`, it may refer to that server's stored secrets. */
  testServer(
    draft: NewServer & { readonly id?: ServerId },
    options?: RequestOptions,
  ): Promise<ServerCapabilities>
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
  /** Deletes the login and revokes its tokens. */
  logOut(target: string, options?: RequestOptions): Promise<LoggedOut>
  /** Called after a change of stored servers, by any process, and of a connection of this service. Returns a function that stops it. */
  onChange(listener: () => void): () => void
}

/** One server. What it asks, logs and sends is kept if the service is opened with `isWatched`. */
export interface Server {
  readonly id: ServerId
  /** The status of this service's connection; running agents have their own. */
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
  /** The resources whose changes are news, while it is connected. */
  subscriptions(): readonly string[]
  subscribe(uri: string, options?: RequestOptions): Promise<void>
  unsubscribe(uri: string): void
  /** The end of what it logged and wrote to stderr, also in an attempt that failed. Connects nothing. */
  log(): ServerLogView
  /** The last messages between Ostler and the server, also of an attempt that failed. */
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
  /** The number of resources at the last listing; unset before the first. */
  resources?: number
}

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface NewServer {
  readonly name: string
  /** Defaults to `mode: dynamic` and an empty `defaultToolConfig`. Contains secrets in plain text. */
  readonly entry: ServerEntryInput
  /** Variables and headers to treat as secret regardless of their names. */
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

/** A server for display. Plain data without secrets. */
export interface ServerView {
  readonly id: ServerId
  readonly name: string
  readonly description?: string
  readonly origin: 'file' | 'stored'
  /** True if the agent file has a server of this name, which the agent uses instead. */
  readonly shadowed: boolean
  readonly enabled: boolean
  readonly transport: 'stdio' | 'http' | 'sse'
  /** The entry as written, with placeholders for secrets. */
  readonly entry: ServerEntryInput
  readonly secrets: readonly SecretView[]
  /** The store of its secrets. Undefined without secrets, or for a server of the agent file. */
  readonly secretStore?: SecretStoreKind
  /** Undefined for a server of the agent file. */
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly lastConnectedAt?: string
  readonly status: ConnectionStatus
  /** The known login state. Undefined for a server whose entry contains credentials. */
  readonly login?: 'done' | 'needed'
  /** Number of tools, prompts and resources, if known. */
  readonly tools?: number
  readonly prompts?: number
  readonly resources?: number
}

/** The settings that decide about calls of a server's tools. Without secrets. */
export interface PolicyView {
  readonly name: string
  readonly origin: 'file' | 'stored'
  readonly enabled: boolean
  readonly policy: ServerPolicy & { readonly trusted?: boolean | undefined }
  /** The server as grants are bound to it. Undefined if its secrets or variables cannot be read. */
  readonly pin?: ServerPin
  /** Its tools, if this service is connected to it. */
  readonly tools?: readonly McpToolDefinition[]
}

/** `name` is the label in the placeholder: `env.TOKEN`. */
export interface SecretView extends SecretDescription {
  readonly name: string
}

/** The status of a connection for a person. */
export interface ConnectionStatus {
  readonly state: McpStatus['state']
  /** The reason of an error, possibly followed by the server's last output. */
  readonly reason?: string
  /** True if the connection is retried automatically. */
  readonly willRetry?: boolean
  /** True if a person must log in with `ostler mcp login`. The connection is then retried. */
  readonly needsLogin?: true
  /** Parts of a connected server that were left out. */
  readonly warnings?: readonly string[]
}

export interface ServerExamination {
  readonly generations: readonly ExaminedGeneration[]
  /** The lists of the server, in the newest generation that works. Undefined if none does. */
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
  /** The kinds of content in the result. */
  readonly contents: readonly string[]
  readonly reason?: string
}

export interface ServerCapabilities {
  readonly tools: readonly DiscoveredTool[]
  readonly resources: readonly McpResource[]
  /** Their `uri` has places for arguments: `note://{day}`. */
  readonly templates: readonly McpResource[]
  readonly prompts: readonly McpPromptDefinition[]
  /** The capabilities of the server: `tools`, `tools.listChanged`. */
  readonly declared: readonly string[]
  readonly server: McpServerIdentity
  readonly phases: ConnectPhases
  /** The problems of the lists: tools left out, and why. */
  readonly warnings: readonly string[]
  readonly log: ServerLogView
}

/** A change of a server that is watched. */
export type ServerNews =
  | { readonly of: 'questions' | 'protocol' | 'subscriptions' }
  | { readonly of: 'resource'; readonly uri: string }

/** A question of a server, which waits for the person. */
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
  /** Older messages that are gone, and notifications that came too fast. */
  readonly leftOut: number
}

/** A message between Ostler and a server. */
export interface ProtocolMessage extends Readonly<Omit<KeptMessage, 'at' | 'json'>> {
  readonly at: string
  readonly canReplay: boolean
}

export interface ProtocolMessageDetail extends ProtocolMessage {
  /** Without secrets. */
  readonly message: unknown
}

/** The log of a server. Cleaned and redacted. */
export interface ServerLogView {
  /** The lowest severity that is requested from the server. */
  readonly level: McpLogLevel
  /** The last messages, oldest first. */
  readonly entries: readonly McpLogEntry[]
  /** The last lines of its stderr output, oldest first. */
  readonly stderr: readonly StderrLine[]
}

export interface DiscoveredTool extends McpToolDefinition {
  /** Its effective configuration. Undefined for a tool that is not admitted. */
  readonly config?: EffectiveToolConfig
  /** Why it is not admitted: a list of its server leaves it out, or the server is strict. */
  readonly leftOut?: string
}

export interface CallToolOptions extends RequestOptions {
  /** The origin of the call. Recorded as the rule of the call. */
  readonly origin: 'command' | 'console'
  /** Maximum time without progress. Defaults to the configured timeout. */
  readonly timeoutMs?: number
  readonly onProgress?: (text: string) => void
  /** If true, the result is not cut. The history still stores a limited part. */
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
