import type { JSONRPCMessage } from '@modelcontextprotocol/client'

export type RequestId = string | number

export type PendingRequests = ReturnType<typeof createPendingRequests>

/** Requests that a server has not answered yet, tracked at the transport. */
export function createPendingRequests() {
  const methods = new Map<RequestId, string>()
  return {
    sent(message: JSONRPCMessage): void {
      if ('method' in message && 'id' in message) methods.set(message.id, message.method)
    },
    has: (id: RequestId) => methods.has(id),
    /** Finds the id with this text, whether it is a number or a string. */
    find(writtenId: string): RequestId | undefined {
      for (const id of methods.keys()) if (String(id) === writtenId) return id
      return undefined
    },
    /** The pending request, if there is exactly one. */
    only(): RequestId | undefined {
      const [id] = methods.keys()
      return methods.size === 1 ? id : undefined
    },
    settle(id: RequestId): string | undefined {
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
