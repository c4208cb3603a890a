// The agent as a library: an agent, its sessions and its tools.

// An agent: made from data, or from its file.
export { createAgent, type Agent } from './agent/agent.ts'
export type { AgentConfig } from './agent/agent-config.ts'
export { openAgent, type OpenAgentOptions } from './agent/open-agent.ts'
export { approvalModes, type ApprovalMode } from './policy/approval-mode.ts'
export type { AgentServer } from './policy/agent-server.ts'
export type { ProviderConfig } from './provider/model.ts'

// A session and its events.
export type { ChatSession, SessionOptions } from './session/chat-session.ts'
export type { Answer } from './messages/question.ts'
export type { ApprovalQuestion, Person } from './policy/question.ts'
export type { SessionSummary } from './state/sessions/session-entry.ts'
export type { ContentBlock } from './messages/content.ts'
export type { TranscriptEntry } from './messages/transcript.ts'
export type {
  ServerReport,
  StopReason,
  ToolCallUpdate,
  ToolCallView,
  TurnEvent,
  Usage,
} from './messages/turn-event.ts'

// Tools that run in this process.
export { defineTool, type ToolDefinition } from './tools/define-tool.ts'
export { errorResult, textResult } from './messages/tool.ts'
export type {
  CallPlan,
  JsonSchema,
  Tool,
  ToolArguments,
  ToolCallContext,
  ToolOutput,
  ToolRef,
  ToolResult,
} from './messages/tool.ts'

// MCP servers of a session.
export type { McpClient } from './mcp/mcp-client.ts'
export type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './mcp/server-config.ts'

// Errors, logs, and redaction of secrets.
export { OstlerError, type ErrorCode } from './base/errors.ts'
export type { LogFields, Logger, LogLevel } from './base/logger.ts'
export { createRedactor, type Redactor } from './redaction/redact.ts'
