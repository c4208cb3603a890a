// The agent as a library: an agent, its sessions and its tools. Programs that manage what agents store use `manage.ts`.

// An agent: made from data, or from its file.
export { createAgent, type Agent, type AgentConfig } from './agent/agent.ts'
export { openAgent, type OpenAgentOptions } from './agent/open-agent.ts'
export { approvalModes, type Approval, type ApprovalMode } from './policy/approval.ts'
export type { AgentServer } from './policy/agent-server.ts'
export { type ThoughtChoice, type ThoughtLevel } from './provider/thought-level.ts'
export type { ModelChoice, ProviderConfig, Vendor } from './provider/model.ts'

// A session and its events.
export type { ChatSession, SessionChange, SessionOptions, SlashCommand } from './session/chat-session.ts'
export type { ApprovalAnswer, ApprovalQuestion, Approver } from './policy/approver.ts'
export type { SessionId } from './base/ids.ts'
export type { SessionSummary } from './history/session-entry.ts'
export type { ContentBlock } from './messages/content.ts'
export type { PlanEntry } from './messages/plan.ts'
export type { TranscriptEntry } from './messages/transcript.ts'
export type { ServerReport, StopReason, ToolCallUpdate, ToolCallView, TurnEvent, Usage } from './messages/turn-event.ts'

// Tools that run in this process.
export { defineTool, type ToolDefinition } from './tools/define-tool.ts'
export { errorResult, textResult } from './messages/tool.ts'
export type {
  CallEffect,
  CallPlan,
  JsonSchema,
  Tool,
  ToolAnnotations,
  FormAnswer,
  PersonForm,
  ToolArguments,
  ToolCallContext,
  ToolKind,
  ToolLocation,
  ToolOutput,
  ToolRef,
  ToolResult,
} from './messages/tool.ts'
export { formatToolsForProvider } from './provider/format-tools.ts'

// The built-in tools.
export type { BuiltinSettings } from './policy/builtin-tools.ts'

// MCP servers of a session.
export type { McpClient, McpElicitation, McpElicitationAnswer, McpHost, McpStatus } from './mcp/mcp-client.ts'
export type { Icon } from './messages/icon.ts'
export type { McpRelay } from './mcp/relay.ts'
export type { AcpServerConfig, HttpServerConfig, McpServerConfig, StdioServerConfig } from './mcp/server-config.ts'

// Errors, logs, and redaction of secrets.
export { OstlerError, type ErrorCode } from './base/errors.ts'
export type { LogFields, Logger, LogLevel } from './base/logger.ts'
export { createRedactor, type Redactor } from './redaction/redact.ts'
