import type { Readable, Writable } from 'node:stream'
import type { Agent, Logger } from '@ostler/agent-api'
import { atMost, isRecord, messageOf } from '@ostler/agent-api/internal'
import type { AcpAgent } from './acp-agent.ts'
import { elicitModesOf, type ElicitModes } from './editor/from-acp-client-capabilities.ts'
import { shakeHands, type Experiments } from './shake-hands.ts'
import type { Message } from './wire/message.ts'
import { openWire } from './wire/open-wire.ts'
import { toSdkStream } from './wire/to-sdk-stream.ts'

/** Time for answering open requests during shutdown. A cancelled turn needs much less. */
const drainMs = 1_500

/** Time for a slow editor to read the last responses. */
const flushMs = 500

const quietMsDefault = 2_500

export interface ServerOptions extends Partial<Experiments> {
  readonly input: Readable
  readonly output: Writable
  /** Called once, after `initialize` was answered, with what the editor can ask the person. */
  readonly openAgent: (elicitModes: () => ElicitModes) => Promise<Agent>
  /** Duration of silence after a turn was cancelled or a session loaded, unless the editor uses the session earlier. */
  readonly quietMs?: number
  readonly onBusy?: Parameters<typeof openWire>[3]
  readonly logger: Logger
}

export interface Server extends AsyncDisposable {
  /** Settles once a request about a session was answered. */
  readonly sessionAnswered: Promise<void>
  /** Settles once the editor has sent something to work on: a prompt, a stored session, or servers, which start after the answer. */
  readonly workAsked: Promise<void>
  readonly stopping: Promise<void>
  /** Settles once the connection has ended, with all its turns, sessions and servers. Never rejects. */
  readonly ended: Promise<void>
  stop(): void
}

/** Serves ACP over a pair of streams until either is closed. */
export function startServer(options: ServerOptions): Server {
  const { input, output, openAgent, quietMs = quietMsDefault, logger, mcpOverAcp = false } = options
  const wire = openWire(input, output, logger, options.onBusy)
  const sessionAnswered = Promise.withResolvers<void>()
  const workAsked = Promise.withResolvers<void>()
  const stopping = Promise.withResolvers<void>()
  wire.outputGone.addEventListener('abort', () => stopping.resolve())

  const ended = serve()
    .catch((error: unknown) =>
      logger.error('the connection ended with an error', { error: messageOf(error) }),
    )
    .finally(() => {
      stopping.resolve()
      input.destroy()
    })

  return {
    sessionAnswered: sessionAnswered.promise,
    workAsked: workAsked.promise,
    stopping: stopping.promise,
    ended,
    stop: () => stopping.resolve(),
    async [Symbol.asyncDispose]() {
      stopping.resolve()
      await ended
    },
  }

  async function serve(): Promise<void> {
    const editor = await Promise.race([shakeHands(wire, { mcpOverAcp }), stopping.promise])
    if (editor === undefined) return flush()
    const agent = openAgent(() => elicitModesOf(editor.capabilities))
    agent.catch((error: unknown) =>
      logger.debug('the agent could not be opened', { error: messageOf(error) }),
    )
    const { connectAcpAgent } = await import('./acp-agent.ts')
    const acpAgent = connectAcpAgent({
      stream: toSdkStream(untilStopped(), wire),
      wire,
      editor,
      agent,
      quietMs,
      logger,
      mcpOverAcp,
    })
    await Promise.race([stopping.promise, acpAgent.connection.closed])
    await end(acpAgent, agent)
  }

  /** The end of the input means that the editor is leaving. The SDK must not see it before open requests are answered. */
  async function* untilStopped(): AsyncGenerator<Message> {
    for await (const message of wire.incoming) {
      if ('method' in message && message.method.startsWith('session/')) {
        const id = 'id' in message ? message.id : null
        if (id !== null) wire.onAnswered(id, sessionAnswered.resolve)
        if (message.method !== 'session/new') workAsked.resolve()
        else if (id !== null && hasServers(message.params)) wire.onAnswered(id, workAsked.resolve)
      }
      yield message
    }
    stopping.resolve()
    await drained()
  }

  async function end({ connection, sessions }: AcpAgent, agent: Promise<Agent>): Promise<void> {
    await sessions.failureTold()
    // Ending the sessions' servers takes time, so it starts while the last requests are being answered.
    const ending = sessions[Symbol.asyncDispose]()
    await drained()
    connection.close()
    await ending
    await sessions[Symbol.asyncDispose]()
    await agent.then((opened) => opened[Symbol.asyncDispose]()).catch(() => undefined)
    await flush()
  }

  function drained(): Promise<void> {
    return atMost(drainMs, wire.idle(), undefined)
  }

  function flush(): Promise<void> {
    return atMost(flushMs, wire.flushed(), undefined)
  }
}

function hasServers(params: unknown): boolean {
  const servers = isRecord(params) ? params['mcpServers'] : undefined
  return !Array.isArray(servers) || servers.length > 0
}
