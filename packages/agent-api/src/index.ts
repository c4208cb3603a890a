// An agent: made from data, or from its file.
export { createAgent, type Agent, type AgentConfig } from './agent/agent.ts'
export type { Approval } from './policy/approval.ts'
export { openAgent, type OpenAgentOptions } from './agent/open-agent.ts'
export type { AddedServers, RejectedServer } from './servers/added-servers.ts'
export type { AgentServer } from './policy/agent-server.ts'
export { approvalModes, type ApprovalMode } from './policy/approval.ts'

// A session and what comes out of it.
export type { ChatSession, SessionChange, SessionOptions, SlashCommand } from './session/chat-session.ts'
export { hasProblems } from './servers/server-report.ts'
export type { ApprovalAnswer, ApprovalQuestion, Approver } from './policy/approver.ts'
export type * from './messages/content.ts'
export type * from './messages/message.ts'
export type * from './messages/turn-event.ts'
export { createToolCallId } from './base/ids.ts'
export type { MessageId, SessionId, ToolCallId } from './base/ids.ts'

// Tools that live in this process.
export { defineTool, type ToolDefinition } from './tools/define-tool.ts'
export { errorResult, textResult } from './messages/tool.ts'
export type * from './messages/tool.ts'
export { toPlainText } from './messages/tool-output.ts'
export { formatToolsForProvider } from './provider/format-tools.ts'
export type { ModelChoice, ProviderConfig, Vendor } from './provider/model.ts'

// MCP servers.
export type {
  ConnectPhases,
  McpClient,
  McpElicitation,
  McpElicitationAnswer,
  McpHost,
  McpPromptDefinition,
  McpPromptResult,
  McpResource,
  McpServerIdentity,
  McpStatus,
  McpToolDefinition,
} from './mcp/mcp-client.ts'
export type { LogInOptions, RedirectListener } from './mcp/oauth/log-in-options.ts'
export { privateAddressOf } from './mcp/network-of.ts'
export { createLogins, type Logins, type LoginsOptions } from './mcp/oauth/logins.ts'
export type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './mcp/server-config.ts'
export type { Timing } from './mcp/timing.ts'

// The agent file: found, read, checked, changed.
export { configDirectory, findAgentFile } from './config/find-agent-file.ts'
export { locateAgentFile, type AgentFileLocation, type AgentFileOrigin } from './config/locate-agent-file.ts'
export { loadAgentFile, type LoadedAgentFile } from './config/agent-file.ts'
export type { AgentFile } from './config/agent-file-schema.ts'
export { toAgentFileJsonSchema } from './config/schema-view.ts'
export { agentFileTemplate, schemaFileName } from './config/agent-file-template.ts'
export { toAgentSettings, type AgentSettings, type ServerSetting, type ToolSetting } from './config/agent-settings.ts'
export {
  applyAgentFileEdit,
  planAgentFileEdit,
  readAgentSettings,
  type AgentFileEdit,
  type AgentFilePlan,
  type ShownAgentFile,
} from './config/edit-agent-file.ts'
export type { Explained, ExplainedTool } from './config/explain-tool-config.ts'
export { didYouMean } from './base/did-you-mean.ts'
export { parseDuration } from './config/duration.ts'
export { checkAgent, type AgentCheck, type CheckAgentOptions, type CheckedModel } from './agent/check-agent.ts'
export type { CheckedServer } from './servers/check-server.ts'

// History: calls, sessions, grants.
export { createStoredHistory, openHistory, openStoredHistory, type HistoryOptions } from './history/open-history.ts'
export type { History } from './history/history.ts'
export type { Retention } from './config/retention.ts'
export { callStatuses } from './history/call.ts'
export { recorded } from './history/recorded.ts'
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
export type { SessionEntry, SessionQuery, SessionSummary } from './history/session-entry.ts'
export { recordEnd, type ProcessEnd } from './history/process-ends.ts'
export { toTranscript, transcribe } from './history/transcript.ts'
export {
  foldTranscript,
  type TranscriptCall,
  type TranscriptEntry,
  type TranscriptItem,
  type TranscriptTurn,
} from './messages/transcript.ts'
export type { LiveServer } from './history/live-servers.ts'
export { openGrants, type Grants, type OpenGrantsOptions } from './agent/open-grants.ts'
export type { StoredGrant } from './policy/grant-store.ts'
export { describePin } from './policy/pin.ts'

// Stored servers, and what a person does with servers.
export { openServerService, type ServerServiceOptions } from './servers/service/open-server-service.ts'
export type * from './servers/service/server-service.ts'
export { useOfStoredServer } from './servers/stored/stored-choice.ts'
export { previewServer, type ServerPreview } from './servers/stored/preview-server.ts'
export { listServerNames, type ServerNamesOptions } from './agent/list-server-names.ts'
export { revealServers, type RevealServersOptions } from './agent/reveal-servers.ts'
export { labelsIn, replacePlaceholders } from './secret-store/secret-placeholders.ts'
export type { MarkedSecrets, SecretDescription } from './secret-store/seal-secrets.ts'
export type { SecretStoreKind } from './secret-store/secret-store.ts'

// Servers from other programs' settings.
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
export { addVariables, fillInputs } from './servers/import/complete-found.ts'
export { escapeDollars } from './servers/import/convert-text.ts'
export { toEntryOrigin } from './servers/import/entry-origin.ts'

// Shared helpers.
export { createByteBuffer } from './base/byte-buffer.ts'
export { OstlerError, messageOf, type ErrorCode } from './base/errors.ts'
export { headerName, headerValue } from './base/header.ts'
export { isRecord } from './base/is-record.ts'
export { toSystemReason } from './base/system-reason.ts'
export { logLevels, silentLogger, type LogFields, type Logger, type LogLevel } from './base/logger.ts'
export { createRedactor, type Redactor } from './redaction/redact.ts'
export { redactValue } from './redaction/redact-value.ts'
export { withoutRemoteImages } from './session/image-filter.ts'
export { showHidden } from './base/strip-hidden.ts'
export { isSecretName } from './mcp/secrets-of.ts'
