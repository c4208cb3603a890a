import { setImmediate } from 'node:timers/promises'
import { OstlerError, type McpClient } from '@ostler/agent-api'
import { leftOutReason, measureDefinitions, orAborted, unusedPatterns } from '@ostler/agent-api/internal'
import type {
  DiscoveredTool,
  ServerCapabilities,
  ServerLogView,
  ServiceConnection,
} from '../server-service.ts'

/** `isFresh`: the lists are read again. Throws `mcp.*` if the connection was lost. */
export async function capabilitiesOf(
  connection: ServiceConnection,
  signal: AbortSignal,
  isFresh = false,
): Promise<ServerCapabilities> {
  const { client } = connection
  const { status, phases = { startMs: 0, handshakeMs: 0, discoveryMs: 0 } } = client
  if (status.state !== 'connected')
    throw client.failure ?? new OstlerError('mcp.connection_lost', 'the connection was lost')
  const begunAt = performance.now()
  if (isFresh) await orAborted(client.relist(), signal, undefined)
  const warnings = [...status.warnings]
  // Resources are optional: a server that fails to list them is treated as one without resources.
  const none = (what: string) => (error: OstlerError) => {
    if (signal.aborted) throw error
    warnings.push(`the ${what} could not be listed: ${error.message}`)
    return []
  }
  const [resources, templates] = await Promise.all([
    client.listResources({ signal }).catch(none('resources')),
    // Many servers with resources do not know this list.
    client.listResourceTemplates({ signal }).catch(() => []),
  ])
  connection.resources = resources.length
  // The server may have written to stderr before it answered, and that pipe is read in the same turn of the event loop.
  await setImmediate()
  const tools = await toMeasuredTools(connection)
  connection.tokens = tools.reduce((sum, { tokens = 0, leftOut }) => sum + (leftOut ? 0 : tokens), 0)
  warnings.push(
    ...unusedPatterns({
      server: client.name,
      policy: connection.server,
      offered: tools.map(({ name }) => name),
    }),
  )
  return {
    tools,
    resources,
    templates,
    prompts: client.prompts,
    declared: client.capabilities,
    server: status.server,
    phases: { ...phases, discoveryMs: phases.discoveryMs + (performance.now() - begunAt) },
    warnings,
    log: toLogView(client.serverLog),
  }
}

export function toLogView({
  level,
  entries,
  stderr,
}: Pick<McpClient['serverLog'], keyof ServerLogView>): ServerLogView {
  return { level, entries: entries(), stderr: stderr() }
}

export function toDiscoveredTools({ client, server, admitted }: ServiceConnection): DiscoveredTool[] {
  const tools = admitted()
  return client.tools.map((tool) => {
    const config = tools.get(tool.name)
    return { ...tool, ...(config === undefined ? { leftOut: leftOutReason(server, tool.name) } : { config }) }
  })
}

/** With their sizes. Sessions adapt definitions to the vendor of their model, which changes them a little. */
export async function toMeasuredTools(connection: ServiceConnection): Promise<DiscoveredTool[]> {
  const tools = toDiscoveredTools(connection)
  const sizes = await measureDefinitions(tools)
  return tools.map((tool, index) => ({ ...tool, ...sizes[index] }))
}

/** Separates the server's output from the reason of a failed connection. */
export async function explained<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await connecting
  } catch (error) {
    if (!(error instanceof OstlerError) || !error.code.startsWith('mcp.')) throw error
    const [reason = '', ...output] = error.message.split('\n')
    throw new OstlerError(error.code, error.message, {
      data: { ...error.data, reason, output: output.join('\n') },
      cause: error,
    })
  }
}
