import type { AgentFile } from '../../config/agent-file-schema.ts'
import type { CallStatus } from '../../history/call.ts'
import type { ToolCallId } from '../../base/ids.ts'
import type {
  ConnectPhases,
  McpPromptDefinition,
  McpPromptResult,
  McpResource,
  McpServerIdentity,
  McpToolDefinition,
} from '../../mcp/mcp-client.ts'
import type { LogInOptions } from '../../mcp/oauth/log-in-options.ts'
import type { LoggedOut } from '../../mcp/oauth/log-out.ts'
import type { ContentBlock } from '../../messages/content.ts'
import type { ToolCallEnd } from '../../messages/message.ts'
import type { EffectiveToolConfig } from '../../policy/tool-config.ts'
import type { MarkedSecrets, SecretDescription } from '../../secret-store/seal-secrets.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import type { ToolArguments, ToolResult } from '../../messages/tool.ts'

/** The id of a server: a UUID for one that is stored, `file:NAME` for one of the agent file. */
export type ServerId = string

/** An entry of the agent file's `mcpServers`, as it is written there. */
export type ServerEntryInput = Readonly<Record<string, unknown>>

/** An entry after it was checked, with every default in it. */
export type ServerEntryOutput = AgentFile['mcpServers'][string]

/** The MCP servers of one agent for a person: those of its file, to look at, and those that are stored, to change as well. */
export interface ServerService extends AsyncDisposable {
  /** Where secrets of stored servers are kept from now on. Asking tries the system keyring, which may ask the person for a password. */
  secretStore(): Promise<SecretStoreState>

  /** Those of the agent file first, each in its order; stored ones by name. */
  listServers(): Promise<readonly ServerView[]>
  /** By its id, or by the name that the agent would use. Throws `servers.unknown`. */
  getServer(idOrName: string): Promise<ServerView>
  /** Throws `config.invalid` with `data.issues` (`ServerIssue[]`), `servers.name_taken`, or `secrets.*`; then nothing is stored. */
  addServer(server: NewServer): Promise<ServerView>
  /** Throws as `addServer` does, and `servers.unknown`, `servers.read_only` for one of the agent file, `servers.changed`. */
  updateServer(id: ServerId, updates: ServerUpdates): Promise<ServerView>
  /** With its secrets. Throws `servers.unknown`, `servers.read_only`. */
  removeServer(id: ServerId): Promise<RemovedServer>

  /** Connects what is written in a form and not stored yet, and ends it again. With an `id`, secrets may be left to those that are stored. */
  testServer(draft: NewServer & { readonly id?: ServerId }, options?: RequestOptions): Promise<ServerCapabilities>
  /** Throws `mcp.*` with the reason; `data.output` is what the server printed last. A server that is connected stays so. */
  connect(id: ServerId, options?: RequestOptions): Promise<ServerCapabilities>
  disconnect(id: ServerId): Promise<void>
  /** Of the connections of this service; those of running agents are their own. */
  getConnectionStatus(id: ServerId): ConnectionStatus

  /**
   * Logs in to a remote server, by its id, its name or its URL; whoever is connected to it, here or in another process, uses the login from
   * then on. Says where it is kept. Throws `login.*`, `servers.unknown`, `secrets.*`.
   */
  logIn(target: string, options: LogInOptions & RequestOptions): Promise<SecretStoreKind>
  /** Forgets the login and takes it back. */
  logOut(target: string, options?: RequestOptions): Promise<LoggedOut>

  /** These connect when they have to. */
  discoverTools(id: ServerId, options?: RequestOptions): Promise<readonly DiscoveredTool[]>
  /** The one path of every call, with the person who asked for it as the rule that allowed it. A failure of the tool is a result. */
  callTool(id: ServerId, tool: string, args: ToolArguments, options: CallToolOptions): Promise<ServiceCallResult>
  listResources(id: ServerId, options?: RequestOptions): Promise<readonly McpResource[]>
  readResource(id: ServerId, uri: string, options?: RequestOptions): Promise<readonly ContentBlock[]>
  listPrompts(id: ServerId, options?: RequestOptions): Promise<readonly McpPromptDefinition[]>
  getPrompt(id: ServerId, name: string, args: Readonly<Record<string, string>>, options?: RequestOptions): Promise<McpPromptResult>

  /** All of these return the way to stop it. */
  onConnectionChange(listener: (id: ServerId, status: ConnectionStatus) => void): () => void
  /** Calls of this service: when they are decided upon, when they run, when they have ended. */
  onToolCall(listener: (call: ServiceCall) => void): () => void
  /** What is stored has changed, by this process or another. */
  onServersChange(listener: () => void): () => void
}

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface SecretStoreState {
  readonly kind: SecretStoreKind
  /** Why a better one could not be used. */
  readonly problem?: string
}

export interface NewServer {
  readonly name: string
  /** `mode` is `dynamic` and `defaultToolConfig` `{}` where it does not say. Secrets stand in it as they are. */
  readonly entry: ServerEntryInput
  /** Variables and headers that are secret although they do not look it. */
  readonly secret?: MarkedSecrets
}

export interface ServerUpdates {
  readonly name?: string
  /**
   * Fields to replace, `null` to take one away. A placeholder (`${secret:LABEL}`) keeps the value that is stored. With another `type`,
   * fields that it does not have go by themselves.
   */
  readonly entry?: ServerEntryInput
  readonly secret?: MarkedSecrets
  readonly enabled?: boolean
}

/** What is wrong with one field: `['env', 'TOKEN']` of the entry, or `['name']`. */
export interface ServerIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Plain data, without a secret in it. */
export interface ServerView {
  readonly id: ServerId
  readonly name: string
  readonly description?: string
  readonly origin: 'file' | 'stored'
  /** The agent file has a server of this name, and the agent uses that one. */
  readonly shadowed: boolean
  readonly enabled: boolean
  readonly transport: 'stdio' | 'http' | 'sse'
  /** As it is written, with placeholders for its secrets. */
  readonly entry: ServerEntryInput
  readonly secrets: readonly SecretView[]
  /** Where they are; unset when there are none, or the server is one of the agent file. */
  readonly secretStore?: SecretStoreKind
  /** Unset for a server of the agent file. */
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly lastConnectedAt?: string
  readonly status: ConnectionStatus
  /** Whether a person has logged in to it, or has to, as far as that is known. Unset for one whose entry says who they are. */
  readonly login?: 'done' | 'needed'
  /** How many of each it offers, as far as that is known. */
  readonly tools?: number
  readonly prompts?: number
  readonly resources?: number
}

/** `name` is the label in its placeholder: `env.TOKEN`. */
export interface SecretView extends SecretDescription {
  readonly name: string
}

export type ConnectionState = 'disconnected' | 'connecting' | 'connected' | 'error'

export interface ConnectionStatus {
  readonly state: ConnectionState
  /** Why it is an error; what the server printed last may follow in further lines. */
  readonly reason?: string
  /** An error that is tried again by itself. */
  readonly willRetry?: boolean
  /** A person has to log in to it: `ostler mcp login`. It is tried again once they have. */
  readonly needsLogin?: true
  /** What of a connected server was left out. */
  readonly warnings?: readonly string[]
}

export interface ServerCapabilities {
  readonly tools: readonly DiscoveredTool[]
  readonly resources: readonly McpResource[]
  readonly prompts: readonly McpPromptDefinition[]
  readonly server: McpServerIdentity
  readonly phases: ConnectPhases
  readonly warnings: readonly string[]
}

export interface DiscoveredTool extends McpToolDefinition {
  /** How it may be used. Unset for one that a strict server offers and `toolbox.tools` does not name: it is left out. */
  readonly config?: EffectiveToolConfig
}

export interface CallToolOptions extends RequestOptions {
  /** Who asked for it: the rule in the history is `person:command` or `person:console`. */
  readonly origin: 'command' | 'console'
  /** How long it may take without a word of progress; what the configuration says when unset. */
  readonly timeoutMs?: number
  readonly onProgress?: (text: string) => void
  /** Nothing is cut from the result, however long it is; only the history keeps less. */
  readonly whole?: boolean
}

export interface ServiceCallResult {
  readonly callId: ToolCallId
  readonly outcome: ToolCallEnd
  readonly result: ToolResult
}

/** A call as it is now; secrets are struck from it. */
export interface ServiceCall {
  readonly id: ToolCallId
  readonly serverId: ServerId
  readonly server: string
  readonly tool: string
  readonly arguments: unknown
  readonly status: Exclude<CallStatus, 'interrupted'>
  readonly startedAt: string
  readonly endedAt: string | null
  readonly durationMs: number | null
  readonly result: ToolResult | null
  readonly error: string | null
}

export interface RemovedServer {
  /** What could not be cleaned up: a secret in a keyring that is locked. */
  readonly warning?: string
}
