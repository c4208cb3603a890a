import type { Stream } from '@agentclientprotocol/sdk'
import type { Message } from './message.ts'
import type { Wire } from './open-wire.ts'

/**
 * Adapts the wire for the SDK. Implements only the part of web streams that the SDK uses, because they are
 * slow to load, and need several microtask turns per message. Delivers each message in its own macrotask: the
 * SDK spends one microtask per registered method to find a handler. Otherwise, of two messages read together
 * (a prompt and its cancellation), the second might be handled first.
 */
export function toSdkStream(incoming: AsyncIterable<Message>, wire: Wire): Stream {
  const messages = inTurn(incoming)
  const releaseLock = () => {}
  const reader = { read: () => messages.next(), cancel: () => messages.return(undefined), releaseLock }
  const writer = { write: (message: Message) => wire.write(message), releaseLock }
  return {
    readable: { getReader: () => reader },
    writable: { getWriter: () => writer },
  } as unknown as Stream
}

async function* inTurn(incoming: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of incoming) {
    yield message
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}
