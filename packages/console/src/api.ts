import type {
  AgentSettings,
  CallQuery,
  CallStatistics,
  CallSummary,
  ContentBlock,
  ConnectPhases,
  DiscoveredTool,
  LiveServer,
  McpPromptDefinition,
  McpResource,
  NewServer,
  SecretStoreState,
  ServerIssue,
  ServerUpdates,
  ServerView,
  SessionSummary,
  StoredCall,
  ToolResult,
  TranscriptEntry,
} from '@ostler/agent-api'

export type { AgentSettings, LiveServer, ServerView, ToolSetting } from '@ostler/agent-api'

/**
 * What the page and its server say to each other; types only, so that the page carries no code of the server's. Every path begins with
 * `/api/`. Answers are JSON. Requests that change or start something are POST, PATCH, PUT or DELETE with a JSON body, never GET. An error
 * is `ApiError` with a status of 4xx or 5xx.
 */

/** What is wrong, in words for a person; `issues` belong to the fields of the form that was sent. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly issues?: readonly ServerIssue[]
  /** What the server printed last, where one could not be connected. */
  readonly output?: string
  /** With 409 `console.unconfirmed`: what a person has to say yes to first. The same request again with `confirmed: true` in it does it. */
  readonly confirm?: {
    /** Something that is run, or somebody who is asked. */
    readonly kind: 'command' | 'address'
    readonly commandLine: string
    /** An address of a private network or of this machine's cloud, which has to be named in `confirmedAddress`. */
    readonly address?: string
  }
}

/** GET /api/about */
export interface About {
  readonly version: string
  readonly agent: { readonly name: string; readonly file: string | null }
  readonly stateDir: string
  readonly secretStore: SecretStoreState
}

/** GET /api/servers */
export interface ServerList {
  readonly servers: readonly ServerView[]
  /** Of sessions that are open now, in any process: to look at only. */
  readonly live: readonly LiveServer[]
}

/**
 * POST /api/servers → ServerView. PATCH /api/servers/ID → ServerView: a server that is connected goes on with what it is then, so another
 * command or address has to be confirmed. DELETE /api/servers/ID → { warning? }.
 */
export type AddServer = NewServer
export type UpdateServer = ServerUpdates & Confirmed

/** POST /api/servers/validate: as the form is filled in; starts nothing. → { issues, commandLine } */
export interface Validated {
  readonly issues: readonly ServerIssue[]
  /** What would be started or asked, whole, secrets masked. */
  readonly commandLine: string
}

/** POST /api/servers/test with a draft, and `id` when it is an edit of a stored one. Ends it again. → lines of `TestProgress` (application/x-ndjson) */
export type TestServer = NewServer & Confirmed & { readonly id?: string }
/** Without it the answer is 409 with what has to be confirmed. */
export interface Confirmed {
  readonly confirmed?: boolean
  /** What was seen. When it is something else by now, it has to be confirmed anew. */
  readonly confirmedCommandLine?: string
  readonly confirmedAddress?: string
}
export type TestProgress =
  | { readonly type: 'started'; readonly commandLine: string }
  | ({ readonly type: 'connected'; readonly phases: ConnectPhases } & Capabilities)
  | { readonly type: 'failed'; readonly error: ApiError }

/** POST /api/servers/ID/connect with `Confirmed` → Capabilities. POST /api/servers/ID/disconnect → {}. */
export interface Capabilities {
  readonly server: { readonly name: string; readonly version: string; readonly protocolVersion: string; readonly instructions?: string }
  readonly tools: readonly DiscoveredTool[]
  readonly resources: readonly McpResource[]
  readonly prompts: readonly McpPromptDefinition[]
  readonly warnings: readonly string[]
}

/** POST /api/servers/ID/call → lines of `CallProgress` (application/x-ndjson). Leaving the stream cancels the call. */
export interface CallTool {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}
export type CallProgress =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'ended'; readonly callId: string; readonly outcome: string; readonly result: ToolResult }
  | { readonly type: 'failed'; readonly error: ApiError }

/** POST /api/servers/ID/read { uri } → { content } */
export interface ResourceContent {
  readonly content: readonly ContentBlock[]
}

/** POST /api/import/preview { text } → ImportPreview; starts and changes nothing. POST /api/import { text, names } → ImportResult. GET /api/export → a file */
export interface ImportPreview {
  readonly format: string
  readonly servers: readonly {
    readonly name: string
    readonly commandLine: string
    readonly secrets: readonly string[]
    readonly taken: boolean
  }[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  readonly notes: readonly string[]
}
export interface ImportResult {
  readonly added: readonly string[]
  readonly failed: readonly { readonly name: string; readonly reason: string }[]
}

/** GET /api/calls?session=&turn=&server=&tool=&status=&since=&until=&text=&before=&limit= → CallPage. `server=-` are tools without a server. */
export type CallFilter = Omit<CallQuery, 'limit' | 'after' | 'changedAfter'>
export interface CallPage {
  /** Newest first. */
  readonly calls: readonly CallSummary[]
  /** `before` of the next page; unset on the last. */
  readonly next?: number
}

/** GET /api/calls/ID → StoredCall. GET /api/calls/export?format=json|csv and the same filters → a file, written as it is read. */
export type CallDetail = StoredCall

/** GET /api/calls/filters */
export interface CallFilters {
  readonly servers: readonly string[]
  readonly tools: readonly string[]
}

/** GET /api/calls/statistics?days=&server= */
export interface Statistics {
  readonly days: readonly CallStatistics[]
}

/** GET /api/events, server-sent: `calls` with changed rows, `servers` and `sessions` when a list is out of date. */
export interface LiveEvents {
  readonly calls: { readonly calls: readonly CallSummary[] }
  readonly servers: Record<string, never>
  readonly sessions: Record<string, never>
}

/** GET /api/agent */
export interface AgentView {
  readonly name: string
  /** Null: there is none yet; saving writes it to `path`. */
  readonly file: string | null
  readonly path: string
  /** Of the file that these settings are of; goes back with a change. */
  readonly version: string
  readonly settings: AgentSettings
  /** Where a setting is not from the file: `environment`, or `default`. Keys are paths such as `approval.mode`. */
  readonly origins: Readonly<Record<string, 'file' | 'environment' | 'default'>>
  /** Every server there is, with whether this agent uses it. */
  readonly servers: readonly {
    readonly name: string
    readonly origin: 'file' | 'stored'
    readonly used: boolean
    /** Switched off where it stands; the settings of the agent do not change that. */
    readonly enabled: boolean
    /** The agent file has one of this name, and the agent uses that one. */
    readonly shadowed: boolean
    /** Of this console's connection; where it has none, of the agent's own that runs. */
    readonly status: string
    readonly tools: number | null
    readonly mode: 'strict' | 'dynamic'
  }[]
  readonly grants: readonly {
    readonly id: number
    readonly verdict: 'allow' | 'deny'
    readonly server: string | null
    readonly tool: string
    readonly createdAt: string
    /** What it is bound to: it no longer holds when one of these changes. */
    readonly boundTo: Readonly<Record<string, string>>
  }[]
  readonly problems: readonly string[]
}

/** POST /api/agent/preview { settings } → AgentEdit; changes nothing. PUT /api/agent { settings, version } → AgentView; 409 when the file changed meanwhile. */
export interface AgentEdit {
  /** A unified diff; empty when nothing changes. */
  readonly diff: string
  readonly version: string
  readonly issues: readonly ServerIssue[]
  /** What will not have the effect that it seems to: a variable of the environment wins over the file. */
  readonly notes: readonly string[]
}

/** DELETE /api/grants/ID → {} */

/** GET /api/sessions?after= → SessionPage. GET /api/sessions/ID → SessionDetail. DELETE /api/sessions/ID → {} */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  readonly next?: string
}
export interface SessionDetail {
  readonly session: SessionSummary
  readonly transcript: readonly TranscriptEntry[]
  readonly calls: readonly CallSummary[]
}
