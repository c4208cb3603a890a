import type { Strike } from '../../base/clean-text.ts'
import { agentName } from '../../config/agent-name.ts'
import { toCallEnd } from '../../history/call.ts'
import { OstlerError } from '../../base/errors.ts'
import type { History } from '../../history/history.ts'
import { createToolCallId } from '../../base/ids.ts'
import type { Logger } from '../../base/logger.ts'
import type { TurnEvent } from '../../messages/turn-event.ts'
import type { CallLimits } from '../../policy/call-limits.ts'
import { getIncludedTools } from '../provider-helper.ts'
import { factsOf } from '../../tools/call-facts.ts'
import type { CallMembrane } from '../../tools/call-membrane.ts'
import type { OfferedTool } from '../../tools/offered-tool.ts'
import { toPlainText } from '../../messages/tool-output.ts'
import { createToolSet, type ToolSet } from '../../tools/tool-set.ts'
import type { ToolArguments } from '../../messages/tool.ts'
import { runToolCall, type CallPorts } from '../../turn/run-tool-call.ts'
import { toDiscoveredTools } from './server-capabilities.ts'
import type { CallToolOptions, ServerId, ServiceCall, ServiceCallResult } from '../server-service.ts'
import type { ServiceConnection } from './service-connections.ts'

export interface ServiceCallRequest {
  readonly id: ServerId
  readonly connection: ServiceConnection
  readonly tool: string
  readonly args: ToolArguments
  readonly options: CallToolOptions
  readonly signal: AbortSignal
}

/** Redacts the secrets in calls and messages. */
export interface ServiceMembranes {
  readonly calls: CallMembrane
  /** For calls whose whole result goes to a program. */
  readonly ofWhole: CallMembrane
  readonly strike: Strike
}

export interface ServiceCallPorts {
  readonly agent: string | undefined
  readonly history: History
  readonly limits: CallLimits
  readonly logger: Logger
  readonly membranes: ServiceMembranes
  readonly tell: (call: ServiceCall) => void
  /** How long a server has waited for answers of the person so far. */
  readonly askedMs: (id: ServerId) => number
}

/** Runs a call made by a person. It takes the same path as every call, but its gate does not ask the person again. */
export async function callServiceTool(request: ServiceCallRequest, ports: ServiceCallPorts): Promise<ServiceCallResult> {
  const { id, connection, tool, args, options, signal } = request
  const { leftOut } = toDiscoveredTools(connection).find(({ name }) => name === tool) ?? {}
  if (leftOut !== undefined)
    throw new OstlerError('mcp.unknown_tool', `The tool '${tool}' of the server '${connection.client.name}' cannot be called: ${leftOut}.`)
  const { toolSet, wireName } = toolSetOf(connection, tool, options.timeoutMs)
  const callId = createToolCallId()
  const { outcome, result } = await runToolCall(
    callPorts(request, ports, createCallTeller({ serverId: id, server: connection.client.name, tool }, ports, options.onProgress)),
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
  { id, connection, options }: ServiceCallRequest,
  { agent, history, limits, logger, membranes, askedMs }: ServiceCallPorts,
  emit: CallPorts['emit'],
): CallPorts {
  const { server, client } = connection
  const calls = history.callRecorder({ agent: agentName(agent) })
  const { whole = false } = options
  const askedBeforeMs = askedMs(id)
  const gate: CallPorts['gate'] = { pass: async () => ({ verdict: 'allow', rule: `person:${options.origin}` }) }
  return {
    emit,
    gate,
    confirm: async (offered) => ({ offered }),
    inspect(offered) {
      const facts = factsOf(offered)
      return { facts, serverOrigin: client.origin, siblings: () => [facts] }
    },
    acquire: ({ tool, config }, stop) =>
      limits.acquire({ ref: tool.ref, maxInstances: config.maxInstances.value, rate: server.rateLimit }, stop),
    membrane: whole ? membranes.ofWhole : membranes.calls,
    calls: {
      async start(call) {
        const record = await calls.start(call)
        return {
          ...record,
          // A program gets a result whole, of which the history keeps only the usual part.
          ended: (status, result) => record.ended(status, whole ? membranes.calls.result(result) : result, askedMs(id) - askedBeforeMs),
        }
      },
    },
    logger,
  }
}

/** Converts the events of one call to snapshots of it. */
function createCallTeller(
  about: Pick<ServiceCall, 'serverId' | 'server' | 'tool'>,
  { tell }: Pick<ServiceCallPorts, 'tell'>,
  onProgress: CallToolOptions['onProgress'],
): (event: TurnEvent) => Promise<void> {
  const begunAt = performance.now()
  let call: ServiceCall | undefined
  const next = (now: ServiceCall) => {
    call = now
    tell(now)
  }
  return async (event) => {
    if (event.type === 'tool_call') {
      const { id, rawInput } = event.call
      const unended = { endedAt: null, durationMs: null, result: null, error: null }
      const started = { status: 'pending' as const, startedAt: new Date().toISOString(), ...unended }
      return next({ ...about, id, arguments: rawInput, ...started })
    }
    if (event.type !== 'tool_call_update' || call === undefined) return
    const { status, end, content = [], rawOutput } = event.update
    if (status === 'in_progress') return next({ ...call, status: 'running' })
    const text = content.map(toPlainText).join('\n')
    if (end === undefined || end === 'interrupted') return onProgress?.(text)
    next({
      ...call,
      status: toCallEnd(end),
      endedAt: new Date().toISOString(),
      durationMs: performance.now() - begunAt,
      result: {
        isError: end !== 'success',
        content,
        ...(typeof rawOutput === 'object' && rawOutput !== null && { structured: rawOutput }),
      },
      error: end === 'success' ? null : text,
    })
  }
}
