import { errorCodes, toErrorResponse, type RequestId } from './message.ts'
import type { Parsed } from './parse-message.ts'
import { lineLimits } from './read-lines.ts'

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
  const error = { code: errorCodes.invalidRequest, message: `Invalid request: ${problem}` }
  return { type: 'refused', error, ...(request !== undefined && { id: request }) }
}
