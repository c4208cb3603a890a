import { parseJsonOr } from '../../base/json.ts'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isRecord } from '../../base/is-record.ts'

export interface ParsedLine {
  readonly messages: readonly JSONRPCMessage[]
  /** Output that is not a message. */
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

/** Positions where a message may begin. */
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
export function findAnswerId(head: string, tail: string): string | undefined {
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
