import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import type { ErrorCode } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { shownSize } from '../../base/shown-size.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createLineSplitter, type OversizedLine } from './line-splitter.ts'
import { localFailure } from './local-failure.ts'
import { messageBytesMax } from './message-limits.ts'
import { findAnswerId, parseLine, parseLongLine, type ParsedLine } from './parse-line.ts'
import type { PendingRequests } from './pending-requests.ts'

/** Reads messages, one per line, from the output of a server. */
export interface MessageReader {
  push(chunk: Buffer): void
  /** The output has ended. */
  end(): void
  /** Settles when all lines so far are read. */
  drained(): Promise<void>
}

export interface MessageReaderOptions {
  /** The server's name, for the log. */
  readonly name: string
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly redactor: Redactor
  readonly onMessage: (message: JSONRPCMessage) => void
  /** Pauses reading while a long line is parsed. */
  readonly hold: () => void
  readonly release: () => void
}

const shownNoiseLength = 200
const readNoiseLength = 4_000
/** Longer lines are parsed in slices. */
const shortLineChars = 256 * 1024
/** Enough to find the id of an answer, which is at its start or end. */
const endChars = 4 * 1024

export function createMessageReader({ name, pending, logger, redactor, onMessage, hold, release }: MessageReaderOptions): MessageReader {
  const waitingLines: string[] = []
  let reading: Promise<void> = Promise.resolve()
  let noiseCount = 0
  let hasEnded = false

  const splitter = createLineSplitter({
    lineBytesMax: messageBytesMax,
    onLine: readLine,
    onOversized: (line) => readOversized(line, `is over ${shownSize(messageBytesMax)}`),
  })

  function readLine(line: string): void {
    if (waitingLines.length === 0 && line.length <= shortLineChars) return readParsed(parseLine(line))
    waitingLines.push(line)
    if (waitingLines.length === 1) reading = readWaiting()
  }

  /** Parses long lines in slices. Later lines queue up to keep their order, and reading pauses meanwhile. */
  async function readWaiting(): Promise<void> {
    hold()
    for (let line = waitingLines[0]; line !== undefined; line = waitingLines[0]) {
      const parsed = await parseLongLine(line)
      if (parsed.limit === undefined) readParsed(parsed)
      else refuseLong(line, parsed.limit)
      waitingLines.shift()
    }
    release()
  }

  function readParsed({ messages, noise }: ParsedLine): void {
    if (noise !== undefined) readNoise(noise, messages.length > 0)
    for (const message of messages) onMessage(message)
  }

  function readNoise(noise: string, recovered: boolean): void {
    noiseCount++
    const shown = redactor.redact(stripHiddenLine(noise.slice(0, readNoiseLength))).slice(0, shownNoiseLength)
    if (noiseCount === 1) logger.warn(`MCP server ${name} writes invalid messages to stdout`, { text: shown })
    else logger.debug(`MCP server ${name}: skipped output`, { count: noiseCount })
    // A truncated line means that the server is ending, which will be reported as the better reason.
    if (!recovered && !hasEnded) failAnswer(findAnswerId(noise.slice(0, 1_000), noise.slice(-1_000)), 'the answer is not valid JSON-RPC')
  }

  function refuseLong(line: string, limit: string): void {
    const head = line.slice(0, endChars)
    if (!readOversized({ head, tail: undefined }, limit)) readOversized({ head, tail: line.slice(-endChars) }, limit)
  }

  /** Returns true if the request that the line answers was found. `limit` completes the sentence "the message …". */
  function readOversized({ head, tail }: OversizedLine, limit: string): boolean {
    if (tail === undefined) logger.warn(`MCP server ${name} sent a message that was dropped: it ${limit}`)
    const written = findAnswerId(head, tail ?? '')
    // An answer without an id at either end belongs to the only pending request.
    const isAnswer = tail !== undefined && head.startsWith('{"') && !head.includes('"method"')
    const id = written ?? (isAnswer ? String(pending.only()) : undefined)
    return failAnswer(id, `result too large: the message ${limit}`, 'mcp.result_too_large')
  }

  function failAnswer(writtenId: string | undefined, reason: string, code: ErrorCode = 'mcp.call_failed'): boolean {
    const id = writtenId === undefined ? undefined : pending.find(writtenId)
    if (id !== undefined) onMessage(localFailure(id, code, reason))
    return id !== undefined
  }

  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      hasEnded = true
      splitter.flush()
    },
    drained: () => reading,
  }
}
