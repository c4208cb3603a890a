import type { JSONRPCMessage } from '@modelcontextprotocol/client'

export type RequestId = string | number

/** The requests that a server still owes an answer, seen at the wire. */
export interface PendingRequests {
  sent(message: JSONRPCMessage): void
  has(id: RequestId): boolean
  /** The id that is written like this, be it a number or a string. */
  find(writtenId: string): RequestId | undefined
  /** The only one there is, if there is only one. */
  only(): RequestId | undefined
  /** Takes the request out and tells what it was. */
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

/** The request that a message takes back, if it is that kind of message. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  const isCancelled = 'method' in message && message.method === 'notifications/cancelled'
  const id = isCancelled ? message.params?.['requestId'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
