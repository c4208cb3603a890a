import type { InitializeResponse } from '@agentclientprotocol/sdk'
import { agentCapabilities, agentInfo, authMethods, protocolVersion } from './capabilities.ts'
import { fromAcpClientCapabilities, type EditorCapabilities } from './from-acp-client-capabilities.ts'
import { isRecord } from '@ostler/agent-api/internal'
import { errorCodes, toErrorResponse, type Message, type WireError } from './wire/message.ts'
import type { Wire } from './wire/open-wire.ts'

const versionMax = 0xffff

/**
 * Handles a connection until it is initialized, without the SDK: loading its schemas takes longer than starting Node, and an editor shows
 * nothing before this response. Undefined if the editor leaves first.
 */
export async function shakeHands(wire: Wire): Promise<EditorCapabilities | undefined> {
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
    await wire.write(toAnswer(id))
    return fromAcpClientCapabilities((message.params as Record<string, unknown>)['clientCapabilities'])
  }
}

const notInitialized: WireError = {
  code: errorCodes.invalidRequest,
  message: 'Invalid request: the connection must be initialized first',
  data: { code: 'acp.not_initialized' },
}

function problemOf(params: unknown): WireError | undefined {
  const version = isRecord(params) ? params['protocolVersion'] : undefined
  if (typeof version === 'number' && Number.isInteger(version) && version >= 0 && version <= versionMax) return undefined
  return {
    code: errorCodes.invalidParams,
    message: `Invalid params: protocolVersion must be an integer from 0 to ${versionMax}`,
    data: { code: 'acp.invalid_params', field: 'protocolVersion' },
  }
}

/** Answers with our version in any case. The client decides whether to continue. */
function toAnswer(id: string | number): Message {
  const result: InitializeResponse = { protocolVersion, agentInfo, agentCapabilities, authMethods: [...authMethods] }
  return { jsonrpc: '2.0', id, result }
}
