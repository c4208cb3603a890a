import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, type Agent, type Logger } from '@ostler/agent-api'
import type { AcpAgent } from './acp-agent.ts'
import { createLatch } from './latch.ts'
import { shakeHands } from './shake-hands.ts'
import type { Message } from './wire/message.ts'
import { openWire } from './wire/open-wire.ts'
import { toSdkStream } from './wire/to-sdk-stream.ts'

/** How long requests that are still open get to be answered once the end has begun; a cancelled turn needs far less. */
const drainMs = 1_500

/** How long a slow editor gets to read the last answers. */
const flushMs = 500

export interface ServerOptions {
  readonly input: Readable
  readonly output: Writable
  /** Called once, when `initialize` has been answered. */
  readonly openAgent: () => Promise<Agent>
  readonly logger: Logger
}

export interface Server extends AsyncDisposable {
  /** Settles when the editor has asked for something about a session; it gets its answer even when the end begins then. */
  readonly sessionAsked: Promise<void>
  /** Settles when the end begins. */
  readonly stopping: Promise<void>
  /** Settles when the connection has ended, whoever ended it, and with it every turn, session and server. Never rejects. */
  readonly ended: Promise<void>
  /** Cancels what runs and ends. */
  stop(): void
}

/** Serves ACP over a pair of streams until either is closed. */
export function startServer({ input, output, openAgent, logger }: ServerOptions): Server {
  const wire = openWire(input, output, logger)
  const sessionAsked = createLatch()
  const stopping = createLatch()
  wire.outputGone.addEventListener('abort', () => stopping.open())

  const ended = serve()
    .catch((error: unknown) => logger.error('the connection ended with an error', { error: messageOf(error) }))
    .finally(() => {
      stopping.open()
      input.destroy()
    })

  return {
    sessionAsked: sessionAsked.opened,
    stopping: stopping.opened,
    ended,
    stop: () => stopping.open(),
    async [Symbol.asyncDispose]() {
      stopping.open()
      await ended
    },
  }

  async function serve(): Promise<void> {
    const capabilities = await Promise.race([shakeHands(wire), stopping.opened])
    if (capabilities === undefined) return flush()
    const agent = openAgent()
    agent.catch((error: unknown) => logger.debug('the agent could not be opened', { error: messageOf(error) }))
    const { connectAcpAgent } = await import('./acp-agent.ts')
    const acpAgent = connectAcpAgent({ stream: toSdkStream(untilStopped(), wire), wire, capabilities, agent, logger })
    await Promise.race([stopping.opened, acpAgent.connection.closed])
    await end(acpAgent, agent)
  }

  /** The end of the input is the editor leaving; the SDK must not see it before its open requests have been answered. */
  async function* untilStopped(): AsyncGenerator<Message> {
    for await (const message of wire.incoming) {
      if ('method' in message && message.method.startsWith('session/')) sessionAsked.open()
      yield message
    }
    stopping.open()
    await drained()
  }

  async function end({ connection, sessions }: AcpAgent, agent: Promise<Agent>): Promise<void> {
    await sessions.failureTold()
    // The sessions' servers take their time to end, so that begins while the last requests are still being answered.
    const ending = sessions[Symbol.asyncDispose]()
    await drained()
    connection.close()
    await ending
    await sessions[Symbol.asyncDispose]()
    await agent.then((opened) => opened[Symbol.asyncDispose]()).catch(() => undefined)
    await flush()
  }

  function drained(): Promise<void> {
    return atMost(drainMs, wire.idle())
  }

  function flush(): Promise<void> {
    return atMost(flushMs, wire.flushed())
  }
}

async function atMost(ms: number, done: Promise<void>): Promise<void> {
  const timer = new AbortController()
  await Promise.race([done, delay(ms, undefined, { signal: timer.signal }).catch(() => undefined)])
  timer.abort()
}
