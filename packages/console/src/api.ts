import type { ContentBlock, SessionSummary, ToolResult, TranscriptEntry } from '@ostler/agent-api'
import type {
  CallStatistics,
  CallSummary,
  LiveServer,
  SecretStoreState,
  ServerIssue,
  StoredQuestion,
  ToolAnnotations,
  ToolOffer,
  ToolSize,
  TranscriptCall,
} from '@ostler/agent-api/internal'
import type {
  AgentSettings,
  AskedValue,
  DescribedModels,
  DiscoveredTool,
  GrantView,
  ListedProgram,
  Outcome,
  PersonAnswer,
  PersonQuestion,
  ServerCapabilities,
  ServerNews,
  ServerView,
  SkippedServer,
} from '@ostler/workbench'

/** The page takes all its types from here. */
export type * from '@ostler/agent-api/internal'
export type * from '@ostler/workbench'
export type {
  ContentBlock,
  ServerReport,
  SessionSummary,
  StopReason,
  ToolOutput,
  TranscriptEntry,
  Usage,
} from '@ostler/agent-api'

/**
 * The requests and replies between the page and its server. Types only, so that the page contains no server code. The
 * tables in `server/routes` say which request has which reply. A request that changes or starts something is a POST,
 * PATCH, PUT or DELETE with a JSON body, never a GET. An error is an `ApiError` with status 4xx or 5xx.
 */
export interface ApiError {
  readonly code: string
  /** For a person. */
  readonly message: string
  /** They belong to fields of the form that was sent. */
  readonly issues?: readonly ServerIssue[]
  readonly output?: string
  /** With 409 `console.unconfirmed`: the same request succeeds once this is confirmed. */
  readonly confirm?: {
    /** A command to run, or an address to connect to. */
    readonly kind: 'command' | 'address'
    readonly commandLine: string
    /** An address of a private network or of a cloud metadata service. `confirmedAddress` must repeat it. */
    readonly address?: string
  }
}
/** The confirmation of a person. Without it, the reply is 409 and says what to confirm. */
export interface Confirmed {
  readonly confirmed?: boolean
  /** The command line the person saw. If it has changed since, it must be confirmed again. */
  readonly confirmedCommandLine?: string
  readonly confirmedAddress?: string
}

export interface About {
  readonly version: string
  readonly agent: { readonly name: string; readonly file: string | null }
  readonly stateDir: string
  readonly secretStore: SecretStoreState
  /** The flags that make `ostler mcp` use the same agent file and state. */
  readonly commandFlags: readonly string[]
}

export interface AllServers {
  readonly servers: readonly ServerView[]
  /** Servers of agents and sessions that are open, in all processes. `serverId`: which of `servers` it is, if any. */
  readonly live: readonly (LiveServer & { readonly serverId: string | undefined })[]
}

/** For an unfinished form. Nothing is started. */
export interface Validated {
  readonly issues: readonly ServerIssue[]
  /** The whole command line or URL, with secrets masked. */
  readonly commandLine: string
}

/** The lines of a reply (application/x-ndjson). Closing the stream cancels the test, call or login. */
export type TestProgress =
  | { readonly type: 'started'; readonly commandLine: string }
  | ({ readonly type: 'connected' } & Connected)
  | FailedLine
interface FailedLine {
  readonly type: 'failed'
  readonly error: ApiError
}

export type Connected = Omit<ServerCapabilities, 'log'>

export type CallProgress =
  | { readonly type: 'progress'; readonly text: string }
  | {
      readonly type: 'ended'
      readonly callId: string
      /** Undefined if it could not be recorded. */
      readonly call: CallSummary | undefined
      readonly outcome: NonNullable<TranscriptCall['end']>
      readonly result: ToolResult
    }
  | FailedLine

export type LoginProgress =
  | { readonly type: 'open'; readonly url: string }
  | { readonly type: 'done' }
  | FailedLine

export interface ResourceContent {
  readonly content: readonly ContentBlock[]
}

/** The tools of the servers that this console is connected to. It connects none. */
export interface ToolCatalog {
  readonly servers: readonly (CatalogServer & { readonly tools: readonly ListedTool[] })[]
  readonly others: readonly CatalogServer[]
}
type CatalogServer = Pick<ServerView, 'id' | 'name' | 'shadowed'>
export type ListedTool = Pick<DiscoveredTool, 'name' | 'title' | 'description' | 'icons' | 'leftOut'>

/** Lines until the page closes the stream. The server's questions are asked only while a page watches it. */
export type WatchLine =
  | { readonly type: 'questions'; readonly questions: readonly PersonQuestion[] }
  | { readonly type: 'subscriptions'; readonly uris: readonly string[] }
  | { readonly type: 'news'; readonly news: ServerNews }
export interface AnswerServer {
  readonly question: string
  readonly answer: PersonAnswer
}

/** Starts and changes nothing, and contains no secrets. */
export interface ImportPreview {
  readonly servers: readonly FoundEntry[]
  readonly skipped: readonly SkippedServer[]
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
  readonly paths: readonly string[]
}
export interface RegistrySearch {
  /** Empty for the official registry. */
  readonly address: string
  readonly search: string
}
/** Exactly one of `text`, `program` and `registry` is set: the place of the server. */
export interface ImportServer extends Confirmed {
  readonly text?: string
  readonly program?: ListedProgram
  readonly registry?: RegistrySearch
  /** Its name there. */
  readonly server: string
  readonly name: string
  readonly values?: Readonly<Record<string, string>>
}

export interface CallPage {
  /** Newest first. */
  readonly calls: readonly CallSummary[]
  /** `before` of the next page; unset on the last. */
  readonly next?: number
}
/** The app of the called tool, if this console is connected to its server. */
export interface CallApp {
  readonly uri?: string
  readonly server?: string
}
export interface CallFilters {
  readonly servers: readonly string[]
  readonly tools: readonly string[]
}
export interface Statistics {
  readonly days: readonly CallStatistics[]
}

/** All other requests to `/api` send the key: `Authorization: Bearer KEY`. */
export interface Entered {
  readonly key: string
}

/**
 * A line of JSON for each event: `open` at once, `calls` with changed rows, `entries` with the sessions that have new
 * entries, `questions`, `servers` and `sessions` when a list is out of date.
 */
export interface LiveEvents extends Record<'open' | 'questions' | 'servers' | 'sessions', object> {
  readonly calls: { readonly calls: readonly CallSummary[] }
  readonly entries: { readonly sessions: readonly string[] }
}

/** Oldest first. */
export interface QuestionList {
  readonly questions: readonly StoredQuestion[]
}

export interface CheckedPatterns {
  /** In the order of the checks. A pattern that cannot be checked matches. */
  readonly matches: readonly boolean[]
}

export interface AgentView {
  readonly name: string
  /** Null if there is no agent file yet. Saving creates it at `path`. */
  readonly file: string | null
  readonly path: string
  /** The version of the file these settings come from. A change must send it back. */
  readonly version: string
  readonly settings: AgentSettings
  /** The paths that environment variables override, such as `approval.mode`. */
  readonly overridden: readonly string[]
  /** With the environment of this console. An agent has that of its editor. */
  readonly models: DescribedModels
  readonly servers: readonly (Pick<ServerView, 'name' | 'origin' | 'enabled' | 'shadowed'> & {
    readonly used: boolean
    /** Its state in each running process of this agent. The console's own connection says nothing about them. */
    readonly live: readonly LiveServer[]
    readonly tools: number | null
    readonly mode: 'strict' | 'dynamic'
  })[]
  readonly problems: readonly string[]
}

export interface SaveAgent {
  readonly settings: AgentSettings
  readonly version: string
  readonly confirmed?: readonly StartedServer[]
}
/** A server that agents start, with its whole command line or URL. */
export interface StartedServer {
  readonly name: string
  readonly commandLine: string
  /** An address of a private network or of a cloud metadata service. */
  readonly address?: string
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

export interface Policy {
  readonly tools: readonly PolicyTool[]
  readonly grants: readonly GrantView[]
  /** Servers whose tools are not known. */
  readonly unknown: readonly string[]
  /** The edit would cause these problems, so its outcome is not shown. */
  readonly issues: readonly ServerIssue[]
}
export interface PolicyTool {
  readonly server: string | null
  readonly tool: string
  readonly title?: string
  readonly about?: string
  readonly claims?: ToolAnnotations
  /** `session`: a server that an editor adds. */
  readonly origin: 'builtin' | 'file' | 'stored' | 'session'
  /** False if only its name is known, from past calls. */
  readonly isKnown: boolean
  /** As an open session sends it, or else of its definition. Undefined if that is not known. */
  readonly size?: Omit<ToolSize, 'tool'>
  readonly now: Outcome
  readonly after?: Outcome
}
/** The tools of a server that an editor added to a session. */
export interface SessionTools {
  readonly tools: readonly {
    readonly name: string
    /** Undefined until the session has sent a request. */
    readonly size?: ToolSize
    /** The person has switched it off in the folder of the session. */
    readonly isOff: boolean
  }[]
}
export interface GrantDifference {
  /** The changed lines of the tool's definition. Null if the earlier definition was not kept. */
  readonly difference: string | null
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  readonly open: readonly string[]
  readonly next?: string
}
/** From its beginning, with joined texts. A call without an end is waiting or running now. */
export interface SessionDetail extends NewEntries {
  readonly session: SessionSummary
  readonly isOpen: boolean
  readonly calls: readonly CallSummary[]
}
/** The entries that follow a place, texts in the pieces in which they arrived. */
export interface NewEntries {
  readonly entries: readonly TranscriptEntry[]
  /** `after` for the entries that follow. */
  readonly place: string
  /** The tools that the model was offered from the turn of the place on, at each change. Old offers are deleted. */
  readonly offers: readonly ToolOffer[]
}
