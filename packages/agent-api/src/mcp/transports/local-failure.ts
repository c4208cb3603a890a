import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client'
import type { ErrorCode } from '../../base/errors.ts'
import type { RequestId } from './pending-requests.ts'

/** Marks an answer that Ostler created itself. No server can send one. */
export class LocalFailure {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    this.code = code
  }
}

const internalError = -32603

/** Creates an answer to one request whose real answer is missing or unusable. Other requests are unaffected. */
export function localFailure(id: RequestId, code: ErrorCode, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: internalError, message, data: new LocalFailure(code) } }
}
