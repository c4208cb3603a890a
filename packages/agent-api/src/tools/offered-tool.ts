import type { McpClient } from '../mcp/mcp-client.ts'
import { mergeToolConfig, type EffectiveToolConfig } from '../policy/tool-config.ts'
import type { Tool } from '../messages/tool.ts'

export interface OfferedTool {
  readonly tool: Tool
  readonly config: EffectiveToolConfig
  readonly home: ToolHome
}

type ToolHome = { readonly type: 'local'; readonly isBuiltin?: boolean } | ServerHome

export interface ServerHome {
  readonly type: 'server'
  readonly client: McpClient
  readonly owner: 'agent' | 'session'
}

/** A tool of Ostler itself, which cannot be configured. */
export function offerOwn(tool: Tool, home: ToolHome = { type: 'local' }): OfferedTool {
  return { tool, config: mergeToolConfig([]), home }
}
