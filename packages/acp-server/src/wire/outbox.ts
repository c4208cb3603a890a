import type { Writable } from 'node:stream'
import { OstlerError } from '@ostler/agent-api'
import { fromTextChunk, mergeChunks, toTextChunk, type TextChunk } from './merge-chunks.ts'
import type { Message } from './message.ts'

/** Limit on data queued for a slow editor. Above it, `write` waits, and thereby the turn and the model. */
export const waitingBytesMax = 1024 * 1024

/** Size of a chunk besides its text. */
const envelopeBytes = 256

/** The only writer of a connection. Keeps the order, drops nothing, and bounds the queue. */
export interface Outbox {
  /**
   * Settles when there is room for more. Rejects with `acp.editor_gone` if the output is closed. Calls `onWritten` once the output has
   * taken the message.
   */
  write(message: Message, onWritten?: () => void): Promise<void>
  /** Settles when the queue is empty or the output is closed. */
  flushed(): Promise<void>
  /** Aborts when the output is closed. */
  readonly gone: AbortSignal
}

interface Waiting {
  /** A chunk that may still grow, or a serialized line. */
  content: { readonly chunk: TextChunk } | { readonly line: string }
  bytes: number
  readonly onWritten: (() => void) | undefined
}

/** Calls `onFull` whenever a message has to wait for room. */
export function createOutbox(output: Writable, onFull: () => void = () => {}): Outbox {
  const waiting: Waiting[] = []
  const gone = new AbortController()
  let waitingBytes = 0
  let wakers: (() => void)[] = []

  const end = (error?: Error | null) => {
    if (gone.signal.aborted) return
    gone.abort(
      new OstlerError('acp.editor_gone', 'The editor no longer reads', { cause: error ?? undefined }),
    )
    waiting.length = 0
    wake()
  }
  const wake = () => {
    for (const resolve of wakers.splice(0)) resolve()
  }
  const changed = () => new Promise<void>((resolve) => wakers.push(resolve))
  const pump = () => {
    while (!output.writableNeedDrain) {
      const next = waiting.shift()
      if (next === undefined) break
      waitingBytes -= next.bytes
      const line = 'line' in next.content ? next.content.line : toLine(fromTextChunk(next.content.chunk))
      output.write(line, () => {
        next.onWritten?.()
        wake()
      })
    }
    wake()
  }
  output.on('drain', pump)
  output.on('error', end)
  output.on('close', () => end())

  return {
    gone: gone.signal,
    async write(message, onWritten) {
      if (!gone.signal.aborted) {
        enqueue(message, onWritten)
        pump()
      }
      if (!gone.signal.aborted && waitingBytes > waitingBytesMax) onFull()
      while (!gone.signal.aborted && waitingBytes > waitingBytesMax) await changed()
      gone.signal.throwIfAborted()
    },
    async flushed() {
      while (!gone.signal.aborted && (waiting.length > 0 || output.writableLength > 0)) await changed()
    },
  }

  function enqueue(message: Message, onWritten: (() => void) | undefined): void {
    const chunk = toTextChunk(message)
    const last = waiting.at(-1)
    if (chunk !== undefined && last !== undefined && 'chunk' in last.content) {
      const merged = mergeChunks(last.content.chunk, chunk)
      if (merged !== undefined) {
        const bytes = Buffer.byteLength(chunk.text)
        last.content = { chunk: merged }
        last.bytes += bytes
        waitingBytes += bytes
        return
      }
    }
    const next: Waiting =
      chunk === undefined
        ? lineEntry(toLine(message), onWritten)
        : { content: { chunk }, bytes: Buffer.byteLength(chunk.text) + envelopeBytes, onWritten }
    waiting.push(next)
    waitingBytes += next.bytes
  }
}

function lineEntry(line: string, onWritten: (() => void) | undefined): Waiting {
  return { content: { line }, bytes: Buffer.byteLength(line), onWritten }
}

function toLine(message: Message): string {
  return `${JSON.stringify(message)}\n`
}
