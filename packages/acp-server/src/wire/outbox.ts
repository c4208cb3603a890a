import type { Writable } from 'node:stream'
import { OstlerError } from '@ostler/agent-api'
import { fromTextChunk, mergeChunks, toTextChunk, type TextChunk } from './merge-chunks.ts'
import type { Message } from './message.ts'

/** What may wait for a slow editor. Above it `write` waits, and with it the turn, and with that the model. */
export const waitingBytesMax = 1024 * 1024

/** What a chunk costs besides its text. */
const envelopeBytes = 256

/** The one writer of a connection: order is kept, nothing is dropped, what waits is bounded. */
export interface Outbox {
  /** Settles when there is room for more; rejects with `acp.editor_gone` when the output is gone. `onWritten` is called once the output has taken the message. */
  write(message: Message, onWritten?: () => void): Promise<void>
  /** Settles when nothing waits any more, or the output is gone. */
  flushed(): Promise<void>
  /** Aborts when the output is gone. */
  readonly gone: AbortSignal
}

interface Waiting {
  /** Text that may still grow; anything else is kept as the line it will be. */
  content: { readonly chunk: TextChunk } | { readonly line: string }
  bytes: number
  readonly onWritten: (() => void) | undefined
}

export function createOutbox(output: Writable): Outbox {
  const waiting: Waiting[] = []
  const gone = new AbortController()
  let waitingBytes = 0
  let wakers: (() => void)[] = []

  const end = (error?: Error | null) => {
    if (gone.signal.aborted) return
    gone.abort(new OstlerError('acp.editor_gone', 'The editor no longer reads', { cause: error ?? undefined }))
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
