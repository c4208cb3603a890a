import { createSlots } from '../../base/slots.ts'
import { createListeners } from '../../base/listeners.ts'
import { createCallLimits, type CallLimits } from '../../policy/call-limits.ts'
import { maxConcurrentDefault } from '../../policy/tool-config.ts'
import { callServiceTool, type ServiceCallPorts } from './call-service-tool.ts'
import type { CurrentConnections } from './current-connections.ts'
import { capabilitiesOf, explained, toDiscoveredTools } from './server-capabilities.ts'
import type { RequestOptions, ServerId, ServerService, ServiceCall } from '../server-service.ts'
import type { ServiceConnection } from './service-connections.ts'

export interface ServerRequestOptions extends Omit<ServiceCallPorts, 'limits' | 'tell' | 'history' | 'agent'> {
  readonly connect: CurrentConnections['connect']
  readonly signalOf: (options: RequestOptions) => AbortSignal
  readonly writableHistory: () => ServiceCallPorts['history']
  /** Maximum number of concurrent calls. The agent file may change it. */
  readonly maxConcurrent: () => number | undefined
  readonly agent: () => string | undefined
}

type Requests =
  | 'connect'
  | 'discoverTools'
  | 'callTool'
  | 'listResources'
  | 'readResource'
  | 'listPrompts'
  | 'getPrompt'
  | 'onToolCall'
  | 'complete'
  | 'setLogLevel'

/** Requests of a person to a server. Connects it first if necessary. */
export function createServerRequests({
  connect,
  signalOf,
  writableHistory,
  maxConcurrent,
  agent,
  ...ports
}: ServerRequestOptions): Pick<ServerService, Requests> {
  let limits = limitsOf(maxConcurrent())

  function limitsNow(): CallLimits {
    if (limits.activeMax !== maxConcurrent()) limits = limitsOf(maxConcurrent())
    return limits.limits
  }
  const listeners = createListeners<[ServiceCall]>('the calls', ports.logger)

  async function request<T>(
    id: ServerId,
    options: RequestOptions,
    action: (connection: ServiceConnection, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    const signal = signalOf(options)
    return action(await explained(connect(id, signal)), signal)
  }

  return {
    connect: (id, options = {}) =>
      request(id, options, (connection, signal) => capabilitiesOf(connection, signal, options.isFresh === true)),
    discoverTools: (id, options = {}) => request(id, options, toDiscoveredTools),
    callTool: (id, tool, args, options) =>
      request(id, options, (connection, signal) =>
        callServiceTool(
          { id, connection, tool, args, options, signal },
          { ...ports, agent: agent(), history: writableHistory(), limits: limitsNow(), tell: listeners.tell },
        ),
      ),
    listResources: (id, options = {}) => request(id, options, ({ client }, signal) => client.listResources({ signal })),
    readResource: (id, uri, options = {}) => request(id, options, ({ client }, signal) => client.readResource(uri, { signal })),
    listPrompts: (id, options = {}) => request(id, options, ({ client }) => client.prompts),
    getPrompt: (id, name, args, options = {}) => request(id, options, ({ client }, signal) => client.getPrompt(name, args, { signal })),
    complete: (id, asked, options = {}) => request(id, options, ({ client }, signal) => client.complete(asked, { signal })),
    setLogLevel: (id, level, options = {}) => request(id, options, ({ client }, signal) => client.serverLog.setLevel(level, { signal })),
    onToolCall: listeners.add,
  }
}

function limitsOf(activeMax: number | undefined) {
  return { activeMax, limits: createCallLimits(createSlots({ activeMax: activeMax ?? maxConcurrentDefault, of: 'a slot' })) }
}
