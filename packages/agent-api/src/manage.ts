// For programs that manage agents: the agent file, the history, stored servers and settings of other programs.

// The agent file: find, read, check and edit it.
export { findHome, findXdgDirectory } from './base/find-home.ts'
export { configDirectory, findAgentFile } from './config/find-agent-file.ts'
export { locateAgentFile, type AgentFileLocation, type AgentFileOrigin } from './config/locate-agent-file.ts'
export { loadAgentFile, type LoadedAgentFile } from './config/agent-file.ts'
export type { AgentFile } from './config/agent-file-schema.ts'
export { toAgentFileJsonSchema } from './config/schema-view.ts'
export { agentFileTemplate, schemaFileName } from './config/agent-file-template.ts'
export {
  toAgentSettings,
  type AgentSettings,
  type BuiltinToolSetting,
  type ServerSetting,
  type ToolSetting,
} from './config/agent-settings.ts'
export {
  applyAgentFileEdit,
  planAgentFileEdit,
  readAgentSettings,
  type AgentFileEdit,
  type AgentFilePlan,
  type ShownAgentFile,
} from './config/edit-agent-file.ts'
export type { Explained, ExplainedTool } from './config/explain-tool-config.ts'
export { checkAgent, type AgentCheck, type CheckAgentOptions, type CheckedModel } from './agent/check-agent.ts'
export type { CheckedBuiltinTool } from './agent/check-builtin-tools.ts'
export type { CheckedServer } from './servers/check-server.ts'

// Settings files of other programs.
export { editConfigText, type TextChange } from './config/edit-config-text.ts'
export { unifiedDiff } from './base/unified-diff.ts'
export { parseJsonc } from './servers/import/parse-jsonc.ts'

// The history: calls, sessions and grants.
export { createStoredHistory, openHistory, openStoredHistory, type HistoryOptions } from './history/open-history.ts'
export type { History } from './history/history.ts'
export { readCalls } from './history/read-calls.ts'
export type { Retention } from './config/retention.ts'
export { callStatuses } from './history/call.ts'
export type {
  CalledServer,
  CallFilter,
  CallQuery,
  CallStatistics,
  CallStatus,
  CallSummary,
  StatisticsQuery,
  StoredCall,
  StoredResult,
  TimelineCall,
} from './history/call.ts'
export type { EntryPlace } from './history/session-queries.ts'
export type { SessionEntry, SessionQuery } from './history/session-entry.ts'
export type { LeftOut, LeftReason, ToolOffer } from './messages/tool-offer.ts'
export type { CallQuestion, FormQuestion, PageQuestion, QuestionBody, StoredAnswer, StoredQuestion } from './history/questions.ts'
export type { ProcessEnd } from './history/process-ends.ts'
export { toTranscript, transcribe } from './history/transcript.ts'
export { foldTranscript, statusOfCall, type TranscriptCall, type TranscriptItem, type TranscriptTurn } from './messages/transcript.ts'
export type { LiveServer } from './history/live-servers.ts'
export { openGrants, type Grants, type OpenGrantsOptions } from './agent/open-grants.ts'
export type { StoredGrant } from './policy/grant-store.ts'
export { describePin } from './policy/pin.ts'

// The verdicts of an agent's rules on its tools, and on past calls.
export { describeModels, type DescribedModels } from './agent/describe-models.ts'
export { createJudge, pinOfTool, type Judge, type JudgedServer, type JudgedTool, type Outcome } from './agent/judge.ts'
export { describeGrant, grantDifference, type GrantView } from './agent/describe-grant.ts'
export { listJudgedTools, type JudgedTools, type ListJudgedToolsOptions } from './agent/list-judged-tools.ts'
export { replayCalls, type Replay, type ReplayCallsOptions, type ReplayDifference, type Verdicts } from './agent/replay-calls.ts'

// Stored servers: connections and calls without an agent, and logins.
export { openServerService, type ServerServiceOptions } from './servers/service/open-server-service.ts'
export type * from './servers/server-service.ts'
export type { ConnectPhases, McpCompletion, McpPromptDefinition, McpPromptResult, McpResource, McpSuggestions } from './mcp/mcp-client.ts'
export { useOfStoredServer } from './servers/stored/stored-choice.ts'
export { previewServer, type ServerPreview } from './servers/stored/preview-server.ts'
export { listServerNames, type ServerNamesOptions } from './agent/list-server-names.ts'
export { revealServers, type RevealServersOptions } from './agent/reveal-servers.ts'
export { createLogins, type Logins, type LoginsOptions } from './mcp/oauth/logins.ts'
export { openRedirectListener } from './mcp/oauth/redirect-listener.ts'
export type { LogInOptions, RedirectListener } from './mcp/oauth/log-in-options.ts'
export type { MarkedSecrets, SecretDescription } from './secret-store/seal-secrets.ts'
export type { SecretStoreKind } from './secret-store/secret-store.ts'

// Servers from the settings of other programs.
export { knownServerLists, listedPrograms, type UserHome, type ListedProgram } from './servers/import/known-server-lists.ts'
export { parseServerList, type ParseServerListOptions } from './servers/import/parse-server-list.ts'
export {
  serverListFormats,
  type FoundServer,
  type ServerList,
  type ServerListFormat,
  type ServerListInput,
  type SkippedServer,
} from './servers/import/server-list.ts'
export { fillInputs } from './servers/import/complete-found.ts'
export { loadProgramServers, loadServerFile, parseSource, type ImportSource } from './servers/import/load-program-servers.ts'
export { askedValues, fillAsked, type AskedValue } from './servers/import/asked-values.ts'
export { freeServerName } from './servers/import/name-server.ts'
export { parsePasted, type Pasted } from './servers/import/parse-pasted.ts'
export { toEntryOrigin } from './servers/import/entry-origin.ts'

// Servers from a registry of MCP servers.
export {
  fetchRegistryDocument,
  fetchRegistryServer,
  isRegistryBase,
  officialRegistry,
  searchRegistry,
  type FetchRegistryOptions,
} from './servers/registry/fetch-registry.ts'
export { parseRegistry } from './servers/registry/parse-registry.ts'
export { shortName, toServerDraft, type AnswerProblem, type ServerDraft } from './servers/registry/to-server-draft.ts'
export type * from './servers/registry/registry-server.ts'

// The vendors of models.
export { describeProviders, type DescribedProvider } from './provider/describe-providers.ts'
export { formatToolsForProvider } from './provider/format-tools.ts'
