import type { InitializeResponse } from '@agentclientprotocol/sdk'
import { agentCapabilities, agentInfo, authMethods, protocolVersion } from './capabilities.ts'
import { fromAcpClientCapabilities, type EditorCapabilities } from './editor/from-acp-client-capabilities.ts'
import { isRecord } from '@ostler/agent-api/internal'
import { errorCodes, toErrorResponse, type Message, type WireError } from './wire/message.ts'
import type { Wire } from './wire/open-wire.ts'

/** Features outside stable ACP that the command line has switched on. */
export interface Experiments {
  /** Uses the MCP servers that the editor provides itself. */
  readonly mcpOverAcp: boolean
}

export interface Editor {
  /** Empty if it does not say. */
  readonly name: string
  readonly capabilities: EditorCapabilities
}

const versionMax = 0xffff
const nameCharsMax = 200

/**
 * Handles a connection until it is initialized, without the SDK: loading its schemas takes longer than starting Node, and an editor shows
 * nothing before this response. Undefined if the editor leaves first.
 */
export async function shakeHands(wire: Wire, { mcpOverAcp }: Experiments): Promise<Editor | undefined> {
  for (;;) {
    // Not `for await`, which would close the stream. The SDK reads the rest.
    const { value: message, done } = await wire.incoming.next()
    if (done === true) return undefined
    if (!('method' in message) || !('id' in message) || message.id === null) continue
    const { id, method } = message
    if (method !== 'initialize') {
      await wire.write(toErrorResponse(id, notInitialized))
      continue
    }
    const problem = problemOf(message.params)
    if (problem !== undefined) {
      await wire.write(toErrorResponse(id, problem))
      continue
    }
    await wire.write(toAnswer(id, mcpOverAcp))
    const { clientCapabilities, clientInfo } = message.params as Record<string, unknown>
    return { name: nameOf(clientInfo), capabilities: fromAcpClientCapabilities(clientCapabilities) }
  }
}

const notInitialized: WireError = {
  code: errorCodes.invalidRequest,
  message: 'Invalid request: the connection must be initialized first',
  data: { code: 'acp.not_initialized' },
}

function problemOf(params: unknown): WireError | undefined {
  const version = isRecord(params) ? params['protocolVersion'] : undefined
  if (typeof version === 'number' && Number.isInteger(version) && version >= 0 && version <= versionMax)
    return undefined
  return {
    code: errorCodes.invalidParams,
    message: `Invalid params: protocolVersion must be an integer from 0 to ${versionMax}`,
    data: { code: 'acp.invalid_params', field: 'protocolVersion' },
  }
}

function nameOf(clientInfo: unknown): string {
  const name = isRecord(clientInfo) ? clientInfo['name'] : undefined
  return typeof name === 'string' ? name.slice(0, nameCharsMax) : ''
}

/** Answers with our version in any case. The client decides whether to continue. */
function toAnswer(id: string | number, mcpOverAcp: boolean): Message {
  const { mcpCapabilities, ...others } = agentCapabilities
  // The stable schema does not have `acp` yet.
  const capabilities = {
    ...others,
    mcpCapabilities: { ...mcpCapabilities, ...(mcpOverAcp && { acp: true }) },
  }
  const result: InitializeResponse = {
    protocolVersion,
    agentInfo,
    agentCapabilities: capabilities,
    authMethods: [...authMethods],
  }
  return { jsonrpc: '2.0', id, result }
}
