import type { Logger } from '../base/logger.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import { registerTools } from './registration.ts'
import type { ConfiguredTool, EffectiveToolConfig, ServerPolicy } from './tool-config.ts'

export type AdmittedTools = ReadonlyMap<string, EffectiveToolConfig>

/** The admitted tools of an owner's servers, updated as servers come, change and go. */
export interface ToolAccess {
  /** Registers a server's tools again if its list has changed. */
  refresh(client: McpClient): void
  admitted(server: string): AdmittedTools
  forget(server: string): void
}

export interface ToolAccessOptions {
  readonly policyOf: (server: string) => ServerPolicy
  readonly configured: readonly ConfiguredTool[]
  readonly originOf: (client: McpClient) => string
  readonly logger: Logger
  /** Called with the problems if a strict server offers tools that are not configured. */
  readonly onViolation: (messages: readonly string[], server: string) => void
}

interface Looked {
  readonly list: McpClient['tools']
  readonly admitted: AdmittedTools
  readonly names: ReadonlySet<string>
}

const none: AdmittedTools = new Map()

export function createToolAccess({ policyOf, configured, originOf, logger, onViolation }: ToolAccessOptions): ToolAccess {
  const looked = new Map<string, Looked>()
  return {
    refresh(client) {
      const last = looked.get(client.name)
      if (client.status.state !== 'connected' || last?.list === client.tools) return
      const offered = client.tools.map(({ name }) => name)
      const origin = originOf(client)
      const { tools, notes, violations } = registerTools({
        server: client.name,
        origin,
        policy: policyOf(client.name),
        offered,
        configured,
        before: last?.names,
      })
      looked.set(client.name, { list: client.tools, admitted: tools, names: new Set(offered) })
      for (const { level, message } of notes) logger[level](message)
      if (violations.length > 0) onViolation(violations, client.name)
    },
    admitted: (server) => looked.get(server)?.admitted ?? none,
    forget: (server) => looked.delete(server),
  }
}
