import type { Stream } from '@agentclientprotocol/sdk'
import type { Message } from './message.ts'
import type { Wire } from './open-wire.ts'

/**
 * The wire as the SDK wants it. Each message is delivered in a macrotask of its own: the SDK takes a microtask per registered method to
 * find the handler, so that of two messages read together (a prompt and its cancel) the later could otherwise be handled first.
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
