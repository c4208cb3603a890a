import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import type { ErrorCode } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createLineSplitter, type OversizedLine } from './line-splitter.ts'
import { localFailure } from './local-failure.ts'
import { messageBytesMax } from './message-limits.ts'
import type { PendingRequests } from './pending-requests.ts'
import { parseJsonOr } from '../../base/json.ts'
import { isRecord } from '../../base/is-record.ts'

interface MessageReaderOptions {
  readonly name: string
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly redactor: Redactor
  readonly onMessage: (message: JSONRPCMessage) => void
}

const shownNoiseLength = 200
const readNoiseLength = 4_000

/** Reads messages, one per line, from the output of a server. */
export function createMessageReader({ name, pending, logger, redactor, onMessage }: MessageReaderOptions) {
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
    push: splitter.push,
    /** The output has ended. */
    end(): void {
      hasEnded = true
      splitter.flush()
    },
  }
}

interface ParsedLine {
  readonly messages: readonly JSONRPCMessage[]
  readonly noise?: string
}

/** Matches the start of a message after other output in a line. */
const messageStart = /\{"(?:jsonrpc|id|method|result|error)"/g
/** Maximum number of possible message starts to try, because other output may look like one. */
const startsTriedMax = 4

/** Parses one line of a server's output. Servers also print banners there, sometimes without a newline. */
export function parseLine(line: string): ParsedLine {
  const text = line.trim()
  for (const start of messageStarts(text)) {
    const messages = toMessages(parseJsonOr(text.slice(start), undefined))
    if (messages !== undefined) return { messages, ...(start > 0 && { noise: text.slice(0, start) }) }
  }
  return text === '' ? { messages: [] } : { messages: [], noise: text }
}

function* messageStarts(text: string): Generator<number> {
  if (text.startsWith('{') || text.startsWith('[')) yield 0
  let tries = 0
  for (const { index } of text.matchAll(messageStart)) {
    if (index === 0) continue
    if (++tries > startsTriedMax) return
    yield index
  }
}

/** Undefined for anything but JSON-RPC. An array is a batch, as allowed in revision 2025-03-26. */
function toMessages(value: unknown): JSONRPCMessage[] | undefined {
  if (!Array.isArray(value)) return isMessage(value) ? [value] : undefined
  return value.length > 0 && value.every(isMessage) ? value : undefined
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return false
  const { id, method, params, result, error } = value
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') return false
  if (method !== undefined) return typeof method === 'string' && (params === undefined || isRecord(params))
  if (id === undefined || (result === undefined) === (error === undefined)) return false
  if (error === undefined) return isRecord(result)
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
}

/**
 * Finds the id of an answer that cannot be parsed. It is either at the start (`{"jsonrpc":"2.0","id":7,"result":…`) or, with most servers,
 * at the end (`…,"jsonrpc":"2.0","id":7}`). At the end it must be followed by the last brace to belong to the answer itself.
 */
function findAnswerId(head: string, tail: string): string | undefined {
  const first =
    /^[^{]*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?:"([^"]{1,100})"|(\d{1,20}))\s*,\s*"(?!method)/.exec(
      head,
    )
  const last = /"id"\s*:\s*(?:"([^"]{1,100})"|(\d{1,20}))\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
    tail,
  )
  const found = first ?? last
  return found?.[1] ?? found?.[2]
}
