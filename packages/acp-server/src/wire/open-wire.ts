import type { Readable, Writable } from 'node:stream'
import type { Logger } from '@ostler/agent-api'
import { errorCodes, toErrorResponse, toRefusal, type Message, type RequestId } from './message.ts'
import { createOutbox } from './outbox.ts'
import { parseLine, parseOversize, type Parsed } from './parse-line.ts'
import { lineLimits, readLines } from './read-lines.ts'

/** Newline-delimited JSON-RPC over a pair of byte streams. `incoming` yields only well-formed messages. */
export interface Wire {
  /** Ends with the input. Malformed lines have already been answered, logged or ignored. */
  readonly incoming: AsyncGenerator<Message, void, undefined>
  /** Waits while the editor is slow to read. */
  write(message: Message): Promise<void>
  /** Calls the listener once the pending response to this request has been handed to the output. */
  onAnswered(id: RequestId, listener: () => void): void
  /** Settles once every request of the editor is answered. */
  idle(): Promise<void>
  flushed(): Promise<void>
  /** Aborts when the editor stops reading. */
  readonly outputGone: AbortSignal
}

/** Calls `onBusy` when the editor's first request opens, and when its last one ends. */
export function openWire(
  input: Readable,
  output: Writable,
  logger: Logger,
  onBusy: (isBusy: boolean) => void = () => {},
): Wire {
  const outbox = createOutbox(output, () => logger.debug('waiting for the editor to read'))
  /** The editor's unanswered requests with their listeners. */
  const unanswered = new Map<RequestId, (() => void)[]>()
  const ours = new Set<RequestId>()
  let idleListeners: (() => void)[] = []

  /** Passes on messages for the agent and handles all others. */
  const admit = async (parsed: Parsed): Promise<Message | undefined> => {
    switch (parsed.type) {
      case 'empty':
        return undefined
      case 'notification':
        return parsed.message
      case 'request':
        if (unanswered.has(parsed.id)) {
          await refuse('Invalid request: a request with this id is still running')
          return undefined
        }
        unanswered.set(parsed.id, [])
        if (unanswered.size === 1) onBusy(true)
        return parsed.message
      case 'response':
        if (ours.delete(parsed.id)) return parsed.message
        logger.debug('ignored a response to a request that is not open')
        return undefined
      case 'ignored':
        logger.debug(`ignored ${parsed.reason}`)
        return undefined
      case 'refused':
        // An id of a request that is still running belongs to that request.
        await outbox.write(
          parsed.id === undefined || unanswered.has(parsed.id)
            ? toRefusal(parsed.error)
            : toErrorResponse(parsed.id, parsed.error),
        )
        return undefined
    }
  }
  const refuse = (message: string) => outbox.write(toRefusal({ code: errorCodes.invalidRequest, message }))

  return {
    incoming: read(),
    write(message) {
      if ('method' in message) {
        if ('id' in message && message.id !== null) ours.add(message.id)
        return outbox.write(message)
      }
      const id = message.id
      const listeners = id === null ? undefined : unanswered.get(id)
      if (id === null || listeners === undefined) return outbox.write(message)
      unanswered.delete(id)
      return outbox.write(message, () => {
        for (const listener of listeners) listener()
        if (unanswered.size > 0) return
        onBusy(false)
        for (const listener of idleListeners.splice(0)) listener()
      })
    },
    onAnswered(id, listener) {
      unanswered.get(id)?.push(listener)
    },
    async idle() {
      if (unanswered.size > 0) await new Promise<void>((resolve) => idleListeners.push(resolve))
    },
    flushed: () => outbox.flushed(),
    outputGone: outbox.gone,
  }

  async function* read(): AsyncGenerator<Message, void, undefined> {
    try {
      for await (const line of readLines(input)) {
        if (line.type === 'oversize') logger.warn(`skipped a line: it may have at most ${lineLimits()}`)
        const message = await admit(
          line.type === 'oversize' ? parseOversize(line.head, ours) : parseLine(line.bytes),
        )
        if (message !== undefined) yield message
      }
    } catch (error) {
      // A broken input means that the editor is gone. That is an end, not an error.
      logger.debug('the input ended early', { error: String(error) })
    }
  }
}
