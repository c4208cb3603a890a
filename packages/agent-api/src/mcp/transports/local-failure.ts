import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client'
import type { ErrorCode } from '../../base/errors.ts'
import type { RequestId } from './pending-requests.ts'

/** Marks an answer that we gave in the server's place; no server can write one of these. */
export class LocalFailure {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    this.code = code
  }
}

const internalError = -32603

/** An answer for one request whose real answer is not coming, or is no use: the others go on. */
export function localFailure(id: RequestId, code: ErrorCode, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: internalError, message, data: new LocalFailure(code) } }
}
