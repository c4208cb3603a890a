/** The severities of what an MCP server logs, from the least to the most severe. */
export const mcpLogLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type McpLogLevel = (typeof mcpLogLevels)[number]
