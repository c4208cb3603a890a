// An agent: made from data, or from its file.
export { createAgent, type Agent, type AgentConfig } from './agent.ts'
export type { Approval } from './policy/approval.ts'
export { openAgent, type OpenAgentOptions } from './open-agent.ts'
export type { MoreServers, RejectedServer } from './session/agent-servers.ts'
export type { AgentServer } from './policy/agent-server.ts'
export { approvalModes, type ApprovalMode } from './policy/approval.ts'

// A session and what comes out of it.
export type { ChatSession, SessionChange, SessionOptions, SlashCommand } from './session/chat-session.ts'
export { hasProblems } from './session/server-report.ts'
export type { ApprovalAnswer, ApprovalQuestion, Approver } from './policy/approver.ts'
export type * from './messages/content.ts'
export type * from './messages/message.ts'
export type * from './messages/turn-event.ts'
export { createToolCallId } from './ids.ts'
export type { MessageId, SessionId, ToolCallId } from './ids.ts'

// Tools that live in this process.
export { defineTool, type ToolDefinition } from './tools/define-tool.ts'
export { errorResult, textResult } from './tools/tool.ts'
export type * from './tools/tool.ts'
export { toPlainText } from './tools/tool-result.ts'
export { formatToolsForProvider } from './provider/format-tools.ts'
export type { ModelChoice, ProviderConfig, Vendor } from './provider/model.ts'

// MCP servers.
export type {
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
export { didYouMean } from './config/did-you-mean.ts'
export { parseDuration } from './config/duration.ts'
export { checkAgent, type AgentCheck, type CheckAgentOptions, type CheckedModel } from './check-agent.ts'
export type { CheckedServer } from './check-server.ts'

// What happened: calls, sessions, lasting answers.
export { createStoredHistory, openHistory, openStoredHistory, type HistoryOptions } from './history/open-history.ts'
export type { History } from './history/history.ts'
export type { Retention } from './history/retention-default.ts'
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
export type { SessionEntry, SessionQuery, SessionSummary } from './history/session-entry.ts'
export { recordEnd, type ProcessEnd } from './history/process-ends.ts'
export { toTranscript, transcribe, type TranscriptEntry } from './history/transcript.ts'
export type { LiveServer } from './history/live-servers.ts'
export { openGrants, type Grants, type OpenGrantsOptions } from './open-grants.ts'
export type { StoredGrant } from './policy/grant-store.ts'
export { describePin } from './policy/pin.ts'

// Stored servers, and what a person does with servers.
export { openServerService, type ServerServiceOptions } from './service/open-server-service.ts'
export type * from './service/server-service.ts'
export { previewServer, type ServerPreview } from './service/preview-server.ts'
export { listServerNames, type ServerNamesOptions } from './list-server-names.ts'
export { revealServers, type RevealServersOptions } from './reveal-servers.ts'
export { labelsIn, replacePlaceholders } from './secrets/secret-placeholders.ts'
export type { MarkedSecrets, SecretDescription } from './secrets/seal-secrets.ts'
export type { SecretStoreKind } from './secrets/secret-store.ts'

// Servers from other programs' settings.
export { knownServerLists, listedPrograms, type UserHome, type ListedProgram } from './import/known-server-lists.ts'
export { parseServerList, type ParseServerListOptions } from './import/parse-server-list.ts'
export {
  serverListFormats,
  type FoundServer,
  type ServerList,
  type ServerListFormat,
  type ServerListInput,
  type SkippedServer,
} from './import/server-list.ts'
export { addVariables, fillInputs } from './import/complete-found.ts'
export { escapeDollars } from './import/convert-text.ts'
export { toEntryOrigin } from './import/entry-origin.ts'

// What all of these share.
export { createByteBuffer } from './byte-buffer.ts'
export { OstlerError, messageOf, type ErrorCode } from './errors.ts'
export { toSystemReason } from './system-reason.ts'
export { logLevels, silentLogger, type LogFields, type Logger, type LogLevel } from './logger.ts'
export { createRedactor, type Redactor } from './secrets/redact.ts'
export { redactValue } from './secrets/redact-value.ts'
export { withoutRemoteImages } from './session/image-filter.ts'
export { showHidden } from './strip-hidden.ts'
export { isSecretName } from './secrets/secrets-of.ts'
