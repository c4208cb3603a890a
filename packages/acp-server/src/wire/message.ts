import type { AnyMessage, JsonRpcId } from '@agentclientprotocol/sdk'

export type Message = AnyMessage

/** Excludes `null` and fractions, which JSON-RPC allows but which do not identify a request reliably. */
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

/** An error response with a null id, for a line whose request is unknown. */
export function toRefusal(error: WireError): Message {
  return { jsonrpc: '2.0', id: null, error }
}

export function toErrorResponse(id: RequestId, error: WireError): Message {
  return { jsonrpc: '2.0', id, error }
}
