import type { Stream } from '@agentclientprotocol/sdk'
import type { Message } from './message.ts'
import type { Wire } from './open-wire.ts'

/**
 * Adapts the wire for the SDK. Delivers each message in its own macrotask: the SDK spends one microtask per registered method to find a
 * handler. Otherwise, of two messages read together (a prompt and its cancellation), the second might be handled first.
 */
export function toSdkStream(incoming: AsyncIterable<Message>, wire: Wire): Stream {
  return {
    readable: ReadableStream.from(inTurn(incoming)),
    writable: new WritableStream<Message>({ write: (message) => wire.write(message) }, { highWaterMark: 0 }),
  }
}

async function* inTurn(incoming: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of incoming) {
    yield message
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}
