import type { JSONRPCMessage } from '@modelcontextprotocol/client'

export type RequestId = string | number

/** Requests that a server has not answered yet, tracked at the transport. */
export interface PendingRequests {
  sent(message: JSONRPCMessage): void
  has(id: RequestId): boolean
  /** Finds the id with this text, whether it is a number or a string. */
  find(writtenId: string): RequestId | undefined
  /** The pending request, if there is exactly one. */
  only(): RequestId | undefined
  /** Removes the request and returns its method. */
  settle(id: RequestId): string | undefined
}

export function createPendingRequests(): PendingRequests {
  const methods = new Map<RequestId, string>()
  return {
    sent(message) {
      if ('method' in message && 'id' in message) methods.set(message.id, message.method)
    },
    has: (id) => methods.has(id),
    find(writtenId) {
      for (const id of methods.keys()) if (String(id) === writtenId) return id
      return undefined
    },
    only() {
      const [id] = methods.keys()
      return methods.size === 1 ? id : undefined
    },
    settle(id) {
      const method = methods.get(id)
      methods.delete(id)
      return method
    },
  }
}

/** The request that a message cancels, if it is a cancellation. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  const isCancelled = 'method' in message && message.method === 'notifications/cancelled'
  const id = isCancelled ? message.params?.['requestId'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
