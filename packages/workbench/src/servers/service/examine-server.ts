import { OstlerError, type McpClient } from '@ostler/agent-api'
import { onAbort, type McpHost, type McpToolDefinition, type ClientOpener } from '@ostler/agent-api/internal'
import { toLogView } from './server-capabilities.ts'
import type { ExaminedCall, ExaminedGeneration, ServerExamination } from '../server-service.ts'

interface ExamineOptions extends Pick<Parameters<ClientOpener>[0], 'config' | 'loginName'> {
  readonly openClient: ClientOpener
  readonly cwd: string
  readonly roots: readonly string[]
}

/** The handshakes of MCP: up to 2025-11-25, and from 2026-07-28 on. */
const generations = ['legacy', '2026-07-28'] as const
const callsMax = 50
const callMsMax = 30_000

/** Connects once per generation, and calls the tools that only read. */
export async function examineServer(
  options: ExamineOptions,
  signal: AbortSignal,
): Promise<ServerExamination> {
  const found: ExaminedGeneration[] = []
  let offer: Offer | undefined
  for (const protocol of generations) {
    await using client = open(options, protocol)
    const generation = await connect(client, protocol, signal)
    found.push(generation)
    // Lists and calls are about the newest generation that works.
    if (generation.isConnected) offer = await examineOffer(client, signal)
  }
  return { generations: found, offer }
}

type Offer = NonNullable<ServerExamination['offer']>

function open(
  { config, cwd, roots, loginName, openClient }: ExamineOptions,
  protocol: (typeof generations)[number],
): McpClient {
  // There is no session, so a server has no person or model to ask.
  const host: McpHost = { cwd, roots }
  return openClient({ config: { ...config, protocol, retryAttempts: 0 }, host, loginName })
}

async function connect(
  client: McpClient,
  protocol: string,
  signal: AbortSignal,
): Promise<ExaminedGeneration> {
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)
  const stop = () => stopped.reject(new OstlerError('mcp.cancelled', 'cancelled'))
  using _aborting = onAbort(signal, stop)
  if (signal.aborted) stop()
  await Promise.race([client.settled, stopped.promise])
  const { status, failure, phases } = client
  if (status.state !== 'connected')
    return { generation: protocol, isConnected: false, reason: failure?.message ?? 'not connected' }
  const { name, version, protocolVersion } = status.server
  return {
    generation: protocol,
    isConnected: true,
    protocolVersion,
    server: { name, version },
    phases,
  }
}

async function examineOffer(client: McpClient, signal: AbortSignal): Promise<Offer> {
  const warnings = client.status.state === 'connected' ? [...client.status.warnings] : []
  const resources = await client.listResources({ signal }).catch((error: OstlerError) => {
    warnings.push(`the resources could not be listed: ${error.message}`)
    return []
  })
  const calls: ExaminedCall[] = []
  for (const tool of client.tools.filter(isHarmless).slice(0, callsMax))
    calls.push(await callOnce(client, tool, signal))
  return {
    capabilities: client.capabilities,
    tools: client.tools,
    prompts: client.prompts,
    resources,
    warnings,
    calls,
    log: toLogView(client.serverLog),
  }
}

function isHarmless({ annotations, inputSchema }: McpToolDefinition): boolean {
  const { required } = inputSchema as { readonly required?: unknown }
  return annotations?.readOnlyHint === true && (!Array.isArray(required) || required.length === 0)
}

async function callOnce(
  client: McpClient,
  { name }: McpToolDefinition,
  signal: AbortSignal,
): Promise<ExaminedCall> {
  const begunAt = performance.now()
  const ms = () => Math.round(performance.now() - begunAt)
  try {
    const { isError, content } = await client.callTool(name, {}, { signal, timeoutMs: callMsMax })
    return {
      tool: name,
      outcome: isError ? 'tool_error' : 'success',
      ms: ms(),
      contents: content.map(({ type }) => type),
    }
  } catch (error) {
    if (signal.aborted) throw error
    return {
      tool: name,
      outcome: 'failed',
      ms: ms(),
      contents: [],
      reason: error instanceof Error ? error.message : 'it failed',
    }
  }
}
