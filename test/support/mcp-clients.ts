import type { LogFields, Logger, LogLevel } from '../../packages/agent-api/src/base/logger.ts'
import type { ToolResult } from '../../packages/agent-api/src/messages/tool.ts'
import type { McpClient, McpHost } from '../../packages/agent-api/src/mcp/mcp-client.ts'
import { openMcpClient } from '../../packages/agent-api/src/mcp/open-mcp-client.ts'
import type {
  HttpServerConfig,
  McpServerConfig,
  StdioServerConfig,
} from '../../packages/agent-api/src/mcp/server-config.ts'
import type { Timing } from '../../packages/agent-api/src/base/timing.ts'
import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { fixturePath } from './http-fixture.ts'
import { quickTiming } from './quick-timing.ts'

export * from './http-fixture.ts'

/** Part of the faulty servers' errors and outputs. The redactor of these clients knows it. */
export const canary = 'sk-SECRET-123456'

export interface LogLine {
  readonly level: LogLevel
  readonly message: string
  readonly fields?: LogFields
}

export interface TestClient extends McpClient {
  readonly log: readonly LogLine[]
}

/** Retries keep their delays, because many tests look at what is between them. */
const { quickRetriesMs: _, ...graceOnly } = quickTiming

export function openTestClient(
  config: McpServerConfig,
  host: Partial<McpHost> = {},
  timing?: Partial<Timing>,
): TestClient {
  const log: LogLine[] = []
  const write = (level: LogLevel) => (message: string, fields?: LogFields) =>
    log.push({ level, message, ...(fields && { fields }) })
  const logger: Logger = {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
  }
  const redactor = createRedactor()
  redactor.add(canary)
  const client = openMcpClient({
    config,
    host: { cwd: process.cwd(), roots: [], ...host },
    logger,
    redactor,
    timing: { ...graceOnly, ...timing },
  })
  // Its properties are live, so it must not be copied.
  return Object.assign(client, { log })
}

/** Opens a connected client, or fails with the reason. */
export async function openConnected(
  config: McpServerConfig,
  host: Partial<McpHost> = {},
  timing?: Partial<Timing>,
): Promise<TestClient> {
  const client = openTestClient(config, host, timing)
  await client.settled
  if (client.status.state === 'connected') return client
  const reason = client.status.state === 'error' ? client.status.reason : client.status.state
  await client[Symbol.asyncDispose]()
  throw new Error(`not connected: ${reason}`)
}

export function call(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
  timeoutMs?: number,
): Promise<ToolResult> {
  return client.callTool(name, args, {
    signal: new AbortController().signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

export async function callText(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content } = await call(client, name, args)
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n')
}

export function nodeServer(
  args: readonly string[],
  more: Partial<StdioServerConfig> = {},
): StdioServerConfig {
  return { type: 'stdio', name: 'server', command: process.execPath, args, env: {}, ...more }
}

export function faultyServer(
  fault: string,
  argument = '',
  more: Partial<StdioServerConfig> = {},
): StdioServerConfig {
  return nodeServer([fixturePath('faulty-server.mjs'), fault, argument], { name: 'faulty', ...more })
}

export function httpServer(url: string, more: Partial<HttpServerConfig> = {}): HttpServerConfig {
  return { type: 'http', name: 'web', url, headers: {}, ...more }
}
