import { errorCodes, toErrorResponse, type RequestId } from './message.ts'
import type { Parsed } from './parse-message.ts'
import { lineBytesMax } from './read-lines.ts'

/**
 * Handles a line that was too long to read. If its beginning shows that it answers one of our requests, that request fails, because no
 * other answer will come. Anything else is refused.
 */
export function parseOversize(head: Uint8Array, open: ReadonlySet<RequestId>): Parsed {
  const text = new TextDecoder().decode(head)
  const id = Number(/"id"\s*:\s*(\d+)\s*,/.exec(text)?.[1])
  const problem = `a message must have at most ${lineBytesMax} bytes`
  if (open.has(id) && !text.includes('"method"')) {
    return { type: 'response', id, message: toErrorResponse(id, { code: errorCodes.internalError, message: problem }) }
  }
  return { type: 'refused', error: { code: errorCodes.invalidRequest, message: `Invalid request: ${problem}` } }
}
