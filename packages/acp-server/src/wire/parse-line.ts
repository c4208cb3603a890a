import { isRecord } from '@ostler/agent-api/internal'
import { errorCodes, toErrorResponse, type Message, type RequestId, type WireError } from './message.ts'
import { lineLimits } from './read-lines.ts'

/** Limit on request ids, which are kept until the request is answered. */
const idCharsMax = 1024

export type Parsed =
  | { readonly type: 'empty' }
  | { readonly type: 'request'; readonly id: RequestId; readonly method: string; readonly message: Message }
  | { readonly type: 'notification'; readonly method: string; readonly message: Message }
  | { readonly type: 'response'; readonly id: RequestId; readonly message: Message }
  /** Answered with a null id if the id is not known. The response never quotes the message, which may contain secrets. */
  | { readonly type: 'refused'; readonly error: WireError; readonly id?: RequestId }
  /** A malformed response. It is not answered, because answering responses could continue forever. */
  | { readonly type: 'ignored'; readonly reason: string }

/** Classifies one line. Never throws. */
export function parseLine(line: Uint8Array): Parsed {
  const text = decode(line)
  if (text === undefined) return refused(errorCodes.parseError, 'Parse error: the line is not valid UTF-8')
  if (/^[ \t\r]*$/.test(text)) return { type: 'empty' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused(errorCodes.parseError, 'Parse error: the line is not valid JSON')
  }
  return classify(value)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line)
  } catch {
    return undefined
  }
}

function classify(value: unknown): Parsed {
  if (Array.isArray(value))
    return refused(errorCodes.invalidRequest, 'Invalid request: JSON-RPC batches are not supported')
  if (!isRecord(value))
    return refused(errorCodes.invalidRequest, 'Invalid request: a message must be a JSON object')
  if (!Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')))
    return classifyResponse(value)
  if (value['jsonrpc'] !== '2.0')
    return refused(errorCodes.invalidRequest, 'Invalid request: "jsonrpc" must be "2.0"')
  const method = Object.hasOwn(value, 'method') ? value['method'] : undefined
  if (typeof method !== 'string')
    return refused(errorCodes.invalidRequest, 'Invalid request: "method" must be a string')
  const message = value as unknown as Message
  if (!Object.hasOwn(value, 'id')) return { type: 'notification', method, message }
  const id = value['id']
  if (!isRequestId(id)) {
    return refused(
      errorCodes.invalidRequest,
      `Invalid request: "id" must be an integer below 2^53 or a string of at most ${idCharsMax} characters`,
    )
  }
  return { type: 'request', id, method, message }
}

function classifyResponse(value: Record<string, unknown>): Parsed {
  if (value['jsonrpc'] !== '2.0') return { type: 'ignored', reason: 'a response without "jsonrpc": "2.0"' }
  if (!isRequestId(value['id'])) return { type: 'ignored', reason: 'a response with an invalid id' }
  if (Object.hasOwn(value, 'result') && Object.hasOwn(value, 'error')) {
    return { type: 'ignored', reason: 'a response with both a result and an error' }
  }
  return { type: 'response', id: value['id'], message: value as unknown as Message }
}

/** `Number.isSafeInteger` also rejects numbers that `JSON.parse` rounded: an id must be returned unchanged. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= idCharsMax : Number.isSafeInteger(id)
}

/**
 * Handles a line that was too long to read. If its beginning shows that it answers one of our requests, that request fails, because no
 * other answer will come. Anything else is refused, with the id of the request if the line begins with it.
 */
export function parseOversize(head: Uint8Array, open: ReadonlySet<RequestId>): Parsed {
  const text = new TextDecoder().decode(head)
  const [, number, word] =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*,\s*"method"/.exec(
      text,
    ) ?? []
  const id = Number(/"id"\s*:\s*(\d+)\s*,/.exec(text)?.[1])
  const problem = `a message must have at most ${lineLimits()}; send less at once`
  if (open.has(id) && !text.includes('"method"')) {
    return {
      type: 'response',
      id,
      message: toErrorResponse(id, { code: errorCodes.internalError, message: problem }),
    }
  }
  const request = number === undefined ? word : Number(number)
  return refused(errorCodes.invalidRequest, `Invalid request: ${problem}`, request)
}

function refused(code: number, message: string, id?: RequestId): Parsed {
  return { type: 'refused', error: { code, message }, ...(id !== undefined && { id }) }
}
