import type { ContentBlock, SessionSummary, ToolResult, TranscriptEntry } from '@ostler/agent-api'
import type {
  AgentSettings,
  AskedValue,
  CallQuery,
  CallStatistics,
  CallSummary,
  DescribedModels,
  ConnectPhases,
  DiscoveredTool,
  ListedProgram,
  LiveServer,
  McpCompletion,
  McpPromptResult,
  McpSuggestions,
  NewServer,
  PersonAnswer,
  PersonQuestion,
  SecretStoreState,
  ServerCapabilities,
  ServerIssue,
  ServerLogView,
  ServerNews,
  ServerUpdates,
  ServerView,
  StoredAnswer,
  StoredCall,
  StoredQuestion,
  ToolOffer,
  TranscriptCall,
} from '@ostler/agent-api/manage'

export type { GrantDifference, Policy, PolicyTool } from './policy-api.ts'
export type {
  AgentSettings,
  AskedValue,
  BuiltinToolSetting,
  GrantView,
  LiveServer,
  Outcome,
  Replay,
  ReplayDifference,
  PersonQuestion,
  ProtocolMessage,
  ProtocolMessageDetail,
  ProtocolView,
  Verdicts,
  ServerView,
  StoredQuestion,
  ToolSetting,
} from '@ostler/agent-api/manage'

/**
 * The requests and replies between the page and its server. Types only, so that the page contains no server code. Every path begins with
 * `/api/`. Replies are JSON. A request that changes or starts something is a POST, PATCH, PUT or DELETE with a JSON body, never a GET. An
 * error is an `ApiError` with status 4xx or 5xx.
 */

/** An error message for a person. `issues` belong to fields of the form that was sent. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly issues?: readonly ServerIssue[]
  /** The last output of a server that could not be connected. */
  readonly output?: string
  /** With 409 `console.unconfirmed`: the person must confirm this first. The same request with `confirmed: true` then succeeds. */
  readonly confirm?: {
    /** A command to run, or an address to connect to. */
    readonly kind: 'command' | 'address'
    readonly commandLine: string
    /** An address of a private network or of a cloud metadata service. `confirmedAddress` must repeat it. */
    readonly address?: string
  }
}

/** GET /api/about */
export interface About {
  readonly version: string
  readonly agent: { readonly name: string; readonly file: string | null }
  readonly stateDir: string
  readonly secretStore: SecretStoreState
  /** The flags that make `ostler mcp` use the same agent file and state. */
  readonly commandFlags: readonly string[]
}

/** GET /api/servers */
export interface ServerList {
  readonly servers: readonly ServerView[]
  /** Servers of agents and sessions that are open, in all processes. Read-only. `serverId`: which of `servers` it is, if any. */
  readonly live: readonly (LiveServer & { readonly serverId: string | undefined })[]
}

/**
 * POST /api/servers → ServerView. PATCH /api/servers/ID → ServerView. Agents start what is saved, so a new command or address needs
 * confirmation, and so does a server that is switched on again. DELETE /api/servers/ID → { warning? }.
 */
export type AddServer = NewServer & Confirmed
export type UpdateServer = ServerUpdates & Confirmed

/** POST /api/servers/validate checks an unfinished form and starts nothing. → { issues, commandLine } */
export interface Validated {
  readonly issues: readonly ServerIssue[]
  /** The whole command line or URL, with secrets masked. */
  readonly commandLine: string
}

/** POST /api/servers/test connects a draft and disconnects it again. `id` is set when the draft edits a stored server. → lines of `TestProgress` (application/x-ndjson) */
export type TestServer = NewServer & Confirmed & { readonly id?: string }
/** Without it the reply is 409 and says what to confirm. */
export interface Confirmed {
  readonly confirmed?: boolean
  /** The command line the person saw. If it has changed since, it must be confirmed again. */
  readonly confirmedCommandLine?: string
  readonly confirmedAddress?: string
}
export type TestProgress =
  | { readonly type: 'started'; readonly commandLine: string }
  | ({ readonly type: 'connected'; readonly phases: ConnectPhases } & Capabilities)
  | { readonly type: 'failed'; readonly error: ApiError }

/** POST /api/servers/ID/connect with `Confirmed` → Connected; with `isFresh: true`, a connected server is asked for its lists again. POST /api/servers/ID/disconnect → {}. */
export interface Connected extends Capabilities {
  readonly phases: ConnectPhases
}
export interface Capabilities extends Pick<ServerCapabilities, 'tools' | 'resources' | 'templates' | 'prompts' | 'declared' | 'warnings'> {
  readonly server: { readonly name: string; readonly version: string; readonly protocolVersion: string; readonly instructions?: string }
}

/** POST /api/servers/ID/call → lines of `CallProgress` (application/x-ndjson). Closing the stream cancels the call. */
export interface CallTool {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}
export type CallProgress =
  | { readonly type: 'progress'; readonly text: string }
  /** `call` is undefined if it could not be recorded. */
  | {
      readonly type: 'ended'
      readonly callId: string
      readonly call: CallSummary | undefined
      readonly outcome: NonNullable<TranscriptCall['end']>
      readonly result: ToolResult
    }
  | { readonly type: 'failed'; readonly error: ApiError }

/** POST /api/servers/ID/login → lines of `LoginProgress` (application/x-ndjson). Closing the stream cancels the login. */
export type LoginProgress =
  /** The address of the login page, for the person. */
  { readonly type: 'open'; readonly url: string } | { readonly type: 'done' } | { readonly type: 'failed'; readonly error: ApiError }

/** POST /api/servers/ID/read { uri } → { content } */
export interface ResourceContent {
  readonly content: readonly ContentBlock[]
}

/**
 * POST /api/servers/ID/prompt { name, arguments } with `Confirmed` → PromptMessages. GET /api/servers/ID/log → ServerLog, which connects
 * nothing. POST /api/servers/ID/log-level { level } → {}: the lowest severity that is requested from the server.
 */
export type PromptMessages = McpPromptResult
export type ServerLog = ServerLogView

/** GET /api/tools: the tools of the servers that this console is connected to. It connects none. */
export interface ToolCatalog {
  readonly servers: readonly (CatalogServer & { readonly tools: readonly ListedTool[] })[]
  /** The servers that are not connected. */
  readonly others: readonly CatalogServer[]
}
export type CatalogServer = Pick<ServerView, 'id' | 'name' | 'shadowed'>
/** A tool in a list, without its schemas. */
export type ListedTool = Pick<DiscoveredTool, 'name' | 'title' | 'description' | 'icons' | 'leftOut'>

/**
 * POST /api/servers/ID/watch → lines of `WatchLine` (application/x-ndjson), until the page closes the stream. The server's questions are asked
 * only while a page watches it. It starts nothing.
 */
export type WatchLine =
  | { readonly type: 'questions'; readonly questions: readonly PersonQuestion[] }
  /** The resources that are subscribed to now. */
  | { readonly type: 'subscriptions'; readonly uris: readonly string[] }
  | { readonly type: 'news'; readonly news: ServerNews }
/** POST /api/servers/ID/answer → {} */
export interface AnswerServer {
  readonly question: string
  readonly answer: PersonAnswer
}
/** POST /api/servers/ID/subscribe { uri, on } with `Confirmed` → {} */
/** POST /api/servers/ID/complete → Suggestions. None if the server is not connected. */
export type Complete = McpCompletion
export type Suggestions = McpSuggestions
/** GET /api/servers/ID/protocol?search= → ProtocolView. GET /api/servers/ID/protocol/SEQ → ProtocolMessageDetail. POST /api/servers/ID/protocol/SEQ/replay with `Confirmed` → {}. */

/**
 * POST /api/import/preview { text } → ImportPreview: what a pasted text means. GET /api/import/programs → FoundPrograms: the servers of other
 * programs on this computer. Both start and change nothing, and contain no secrets. POST /api/import `ImportServer` → ServerView adds one server of
 * them. GET /api/export → a file.
 */
export interface ImportPreview {
  readonly servers: readonly FoundEntry[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  readonly notes: readonly string[]
}
export interface FoundEntry extends FoundName {
  /** This name, or a similar one that is not taken. */
  readonly freeName: string
  readonly transport: string
  /** The whole command line or URL, with secrets masked. Values to ask for are shown by their names. */
  readonly commandLine: string
  readonly secrets: readonly string[]
}
/** A server that can be added once its values are known. */
export interface FoundName {
  /** Unique in its list. */
  readonly name: string
  /** The name to store it under, if that is free. */
  readonly shortName: string
  readonly description?: string
  readonly asked: readonly AskedValue[]
  readonly notes: readonly string[]
}
export interface FoundPrograms {
  readonly programs: readonly ProgramServers[]
}
export interface ProgramServers extends ImportPreview {
  readonly program: ListedProgram
  /** Its files that were read. */
  readonly paths: readonly string[]
}
/** POST /api/import/registry `RegistrySearch` → RegistryPage. This asks the registry. */
export interface RegistrySearch {
  /** A registry, or the URL of a document. Empty for the official registry. */
  readonly address: string
  readonly search: string
  readonly cursor?: string | undefined
}
export interface RegistryPage extends ImportPreview {
  /** `cursor` of the next page. */
  readonly next?: string
}
/** Exactly one of `text`, `program` and `registry` is set: the place of the server. */
export interface ImportServer extends Confirmed {
  readonly text?: string | undefined
  readonly program?: ListedProgram | undefined
  readonly registry?: RegistrySearch | undefined
  /** Its name there. */
  readonly server: string
  readonly name: string
  /** By the id of the asked value. */
  readonly values?: Readonly<Record<string, string>>
}

/** GET /api/calls?session=&turn=&server=&tool=&status=&since=&until=&text=&before=&limit= → CallPage. `server=-` selects tools without a server. */
export type CallFilter = Omit<CallQuery, 'limit' | 'after' | 'changedAfter'>
export interface CallPage {
  /** Newest first. */
  readonly calls: readonly CallSummary[]
  /** `before` of the next page; unset on the last. */
  readonly next?: number
}

/** GET /api/calls/ID → StoredCall. GET /api/calls/export?format=json|csv and the same filters → a file, streamed. */
export type CallDetail = StoredCall

/** GET /api/calls/ID/app: the app of the called tool, if this console is connected to its server. */
export interface CallApp {
  readonly uri?: string
  /** The id of the server. */
  readonly server?: string
}

/** GET /api/calls/filters */
export interface CallFilters {
  readonly servers: readonly string[]
  readonly tools: readonly string[]
}

/** GET /api/calls/statistics?days=&server= */
export interface Statistics {
  readonly days: readonly CallStatistics[]
}

/** POST /api/enter with `{ token }` → Entered, or 401. All other requests to `/api` send the key: `Authorization: Bearer KEY`. */
export interface Entered {
  readonly key: string
}

/**
 * GET /api/events sends a line of JSON for each event: `open` at once, `calls` with changed rows, `entries` with the sessions that have new
 * entries, `questions`, `servers` and `sessions` when a list is out of date.
 */
export interface LiveEvents {
  readonly open: Record<string, never>
  readonly calls: { readonly calls: readonly CallSummary[] }
  readonly entries: { readonly sessions: readonly string[] }
  readonly questions: Record<string, never>
  readonly servers: Record<string, never>
  readonly sessions: Record<string, never>
}

/** GET /api/questions: what all agents wait for, oldest first. */
export interface QuestionList {
  readonly questions: readonly StoredQuestion[]
}
/** POST /api/questions/ID/answer → {}, or 409 `console.question_closed`. Arguments may be changed for `allow-once`. */
export type AnswerQuestion = StoredAnswer

/** POST /api/patterns → CheckedPatterns. The patterns of forms, which the page does not run itself. */
export interface CheckPatterns {
  readonly checks: readonly { readonly pattern: string; readonly text: string }[]
}
export interface CheckedPatterns {
  /** In the order of the checks. A pattern that cannot be checked matches. */
  readonly matches: readonly boolean[]
}

/** GET /api/agent */
export interface AgentView {
  readonly name: string
  /** Null if there is no agent file yet. Saving creates it at `path`. */
  readonly file: string | null
  readonly path: string
  /** The version of the file these settings come from. A change must send it back. */
  readonly version: string
  readonly settings: AgentSettings
  /** The source of each setting. Keys are paths such as `approval.mode`. */
  readonly origins: Readonly<Record<string, 'file' | 'environment' | 'default'>>
  /** With the environment of this console. An agent has that of its editor. */
  readonly models: DescribedModels
  /** All servers, including those this agent does not use. */
  readonly servers: readonly (Pick<ServerView, 'name' | 'origin' | 'enabled' | 'shadowed'> & {
    readonly used: boolean
    /** Its state in each running process of this agent. The console's own connection says nothing about them. */
    readonly live: readonly LiveServer[]
    readonly tools: number | null
    readonly mode: 'strict' | 'dynamic'
  })[]
  readonly problems: readonly string[]
}

/**
 * POST /api/agent/preview { settings } → AgentEdit; changes nothing. PUT /api/agent `SaveAgent` → AgentView, or 409 if the file has changed in
 * the meantime, or if a server that agents would start is not confirmed.
 */
export interface SaveAgent {
  readonly settings: AgentSettings
  readonly version: string
  /** The servers that the person saw and confirmed. */
  readonly confirmed?: readonly StartedServer[] | undefined
}
/** A server that agents start, with its whole command line or URL. */
export interface StartedServer {
  readonly name: string
  readonly commandLine: string
  /** An address of a private network or of a cloud metadata service. */
  readonly address?: string | undefined
}
export interface AgentEdit {
  /** A unified diff. Empty if nothing changes. */
  readonly diff: string
  readonly version: string
  readonly issues: readonly ServerIssue[]
  /** The servers that agents use after this change, and did not before. */
  readonly starts: readonly StartedServer[]
  /** Warnings about settings that have no effect, because an environment variable overrides the file. */
  readonly notes: readonly string[]
}

/**
 * GET /api/sessions?after= → SessionPage. GET /api/sessions/ID → SessionDetail. GET /api/sessions/ID/entries?after= → NewEntries.
 * DELETE /api/sessions/ID → {}
 */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** IDs of the sessions that are open in an editor now. */
  readonly open: readonly string[]
  readonly next?: string
}
/** A session from its beginning, with joined texts. A call without an end is waiting or running now. */
export interface SessionDetail extends NewEntries {
  readonly session: SessionSummary
  /** True while an agent has it open. */
  readonly isOpen: boolean
  readonly calls: readonly CallSummary[]
}
/** The entries of a session that follow a place, in order, texts in the pieces in which they arrived. */
export interface NewEntries {
  readonly entries: readonly TranscriptEntry[]
  /** `after` for the entries that follow. */
  readonly place: string
  /** The tools that the model was offered from the turn of the place on, at each change. Old offers are deleted. */
  readonly offers: readonly ToolOffer[]
}
