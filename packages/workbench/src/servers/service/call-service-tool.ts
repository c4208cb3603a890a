import { OstlerError, type Logger, type ToolArguments } from '@ostler/agent-api'
import {
  type Strike,
  agentName,
  type Calls,
  createToolCallId,
  type CallLimits,
  getIncludedTools,
  factsOf,
  type CallMembrane,
  type OfferedTool,
  toPlainText,
  createToolSet,
  type ToolSet,
  runToolCall,
  type CallPorts,
} from '@ostler/agent-api/internal'
import { toDiscoveredTools } from './server-capabilities.ts'
import type { CallToolOptions, ServiceCallResult, ServiceConnection } from '../server-service.ts'

interface ServiceCallRequest {
  readonly connection: ServiceConnection
  readonly tool: string
  readonly args: ToolArguments
  readonly options: CallToolOptions
  readonly signal: AbortSignal
}

interface ServiceMembranes {
  readonly calls: CallMembrane
  /** For calls whose whole result goes to a program. */
  readonly ofWhole: CallMembrane
  readonly strike: Strike
}

export interface ServiceCallPorts {
  /** The agent file may change all three. */
  readonly agent: () => string | undefined
  readonly calls: () => Calls
  readonly limits: () => CallLimits
  readonly logger: Logger
  readonly membranes: ServiceMembranes
  readonly askedMs: () => number
}

/** Runs a call made by a person. It takes the same path as every call, but its gate does not ask the person again. */
export async function callServiceTool(
  request: ServiceCallRequest,
  ports: ServiceCallPorts,
): Promise<ServiceCallResult> {
  const { connection, tool, args, options, signal } = request
  const { leftOut } = toDiscoveredTools(connection).find(({ name }) => name === tool) ?? {}
  if (leftOut !== undefined)
    throw new OstlerError(
      'mcp.unknown_tool',
      `The tool '${tool}' of the server '${connection.client.name}' cannot be called: ${leftOut}.`,
    )
  const { toolSet, wireName } = toolSetOf(connection, tool, options.timeoutMs)
  const callId = createToolCallId()
  const { outcome, result } = await runToolCall(
    callPorts(request, ports),
    toolSet,
    { type: 'tool_call', id: callId, wireName, input: JSON.stringify(args) },
    signal,
  )
  return { callId, outcome, result }
}

/** The tools as a session sees them: unconfigured tools of a strict server are not included. */
function toolSetOf(
  { client, admitted }: ServiceConnection,
  tool: string,
  timeoutMs: number | undefined,
): { toolSet: ToolSet; wireName: string } {
  const none = { clients: new Map(), admitted: () => new Map() }
  const all = getIncludedTools([], { clients: new Map([[client.name, client]]), admitted }, none)
  const offered = timeoutMs === undefined ? all : all.map((entry) => withTimeout(entry, timeoutMs))
  const toolSet = createToolSet(offered)
  const index = offered.findIndex((entry) => entry.tool.ref.tool === tool)
  return { toolSet, wireName: toolSet.wireTools[index]?.name ?? tool }
}

function withTimeout(entry: OfferedTool, value: number): OfferedTool {
  return { ...entry, config: { ...entry.config, timeoutMs: { value, source: 'the call' } } }
}

function callPorts(
  { connection, options }: ServiceCallRequest,
  { agent, calls: allCalls, limits, logger, membranes, askedMs }: ServiceCallPorts,
): CallPorts {
  const { server, client } = connection
  const calls = allCalls().recorder({ agent: agentName(agent()) })
  const { whole = false } = options
  const askedBeforeMs = askedMs()
  const start: CallPorts['calls']['start'] = async (call) => {
    const record = await calls.start(call)
    return {
      ...record,
      // A program gets a result whole, of which the history keeps only the usual part.
      ended: (status, result) =>
        record.ended(status, whole ? membranes.calls.result(result) : result, askedMs() - askedBeforeMs),
    }
  }
  const gate: CallPorts['person']['gate'] = {
    pass: async () => ({ verdict: 'allow', rule: { by: 'person', how: options.origin } }),
  }
  return {
    tools: {
      confirm: async (offered) => ({ offered }),
      inspect(offered) {
        const facts = factsOf(offered)
        return { facts, serverOrigin: client.origin, siblings: () => [facts] }
      },
      acquire: ({ tool, config }, stop) =>
        limits().acquire(
          { ref: tool.ref, maxInstances: config.maxInstances.value, rate: server.rateLimit },
          stop,
        ),
    },
    person: { gate },
    calls: { start },
    membrane: whole ? membranes.ofWhole : membranes.calls,
    async emit(event) {
      if (event.type !== 'tool_call_update') return
      const { status, end, content = [] } = event.update
      if (status !== 'in_progress' && (end === undefined || end === 'interrupted'))
        options.onProgress?.(content.map(toPlainText).join('\n'))
    },
    logger,
  }
}
