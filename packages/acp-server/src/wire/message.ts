import type { AnyMessage, JsonRpcId } from '@agentclientprotocol/sdk'

export type Message = AnyMessage

/** JSON-RPC also knows `null` and fractions; neither can be told apart safely, so neither is served. */
export type RequestId = Exclude<JsonRpcId, null>

export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  authRequired: -32000,
  notFound: -32002,
  requestCancelled: -32800,
} as const

export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** An answer to a line whose sender cannot be told which request it belongs to: the id is null. */
export function toRefusal(error: WireError): Message {
  return { jsonrpc: '2.0', id: null, error }
}

export function toErrorResponse(id: RequestId, error: WireError): Message {
  return { jsonrpc: '2.0', id, error }
}
