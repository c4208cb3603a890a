import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import type { ErrorCode } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createLineSplitter, type OversizedLine } from './line-splitter.ts'
import { localFailure } from './local-failure.ts'
import { messageBytesMax } from './message-limits.ts'
import { findAnswerId, parseLine } from './parse-line.ts'
import type { PendingRequests } from './pending-requests.ts'

/** Reads messages, one per line, from the output of a server. */
export interface MessageReader {
  push(chunk: Buffer): void
  /** The output has ended. */
  end(): void
}

export interface MessageReaderOptions {
  /** The server's name, for the log. */
  readonly name: string
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly redactor: Redactor
  readonly onMessage: (message: JSONRPCMessage) => void
}

const shownNoiseLength = 200
const readNoiseLength = 4_000

export function createMessageReader({
  name,
  pending,
  logger,
  redactor,
  onMessage,
}: MessageReaderOptions): MessageReader {
  let noiseCount = 0
  let hasEnded = false

  const splitter = createLineSplitter({
    lineBytesMax: messageBytesMax,
    onLine: readLine,
    onOversized: readOversized,
  })

  function readLine(line: string): void {
    const { messages, noise } = parseLine(line)
    if (noise !== undefined) readNoise(noise, messages.length > 0)
    for (const message of messages) onMessage(message)
  }

  function readNoise(noise: string, recovered: boolean): void {
    noiseCount++
    const shown = redactor.redact(stripHiddenLine(noise.slice(0, readNoiseLength))).slice(0, shownNoiseLength)
    if (noiseCount === 1) logger.warn(`MCP server ${name} writes invalid messages to stdout`, { text: shown })
    else logger.debug(`MCP server ${name}: skipped output`, { count: noiseCount })
    // A truncated line means that the server is ending, which will be reported as the better reason.
    if (!recovered && !hasEnded)
      failAnswer(findAnswerId(noise.slice(0, 1_000), noise.slice(-1_000)), 'the answer is not valid JSON-RPC')
  }

  /** Returns true if the request that the line answers was found. */
  function readOversized({ limit, head, tail }: OversizedLine): boolean {
    if (tail === undefined) logger.warn(`MCP server ${name} sent a message that was dropped: it ${limit}`)
    const written = findAnswerId(head, tail ?? '')
    // An answer without an id at either end belongs to the only pending request.
    const isAnswer = tail !== undefined && head.startsWith('{"') && !head.includes('"method"')
    const id = written ?? (isAnswer ? String(pending.only()) : undefined)
    return failAnswer(id, `result too large: the message ${limit}`, 'mcp.result_too_large')
  }

  function failAnswer(
    writtenId: string | undefined,
    reason: string,
    code: ErrorCode = 'mcp.call_failed',
  ): boolean {
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
  }
}
