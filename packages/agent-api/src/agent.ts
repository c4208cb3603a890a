import type { Logger } from './logger.ts'
import type { McpServerConfig } from './mcp/server-config.ts'
import type { ApprovalMode } from './policy/approval.ts'
import type { ModelChoice, ProviderConfig } from './provider/model.ts'
import type { Redactor } from './secrets/redact.ts'
import type { ChatSession, SessionOptions } from './session/chat-session.ts'
import type { Tool } from './tools/tool.ts'

export interface AgentConfig {
  readonly systemPrompt?: string
  /** `provider/model`; when unset `OSTLER_MODEL`, then the first vendor with a key, then `offline`. */
  readonly model?: string
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  /** Where keys and base URLs are looked up. The process's own environment when unset. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The agent's own servers, shared by its sessions. */
  readonly mcpServers?: readonly McpServerConfig[]
  readonly tools?: readonly Tool[]
  readonly mode?: ApprovalMode
  readonly maxSteps?: number
  /** How long the first step of a prompt waits for servers that are still connecting. */
  readonly connectWaitMs?: number
  readonly logger?: Logger
  readonly redactor?: Redactor
}

/** Dispose it to end its sessions and servers. */
export interface Agent extends AsyncDisposable {
  createSession(options: SessionOptions): ChatSession
  /** What the model menu offers: every entry can be selected. */
  models(): readonly ModelChoice[]
}
