import type { IncomingMessage } from 'node:http'
import { messageOf } from '@ostler/agent-api/internal'
import { requestError } from './route.ts'

/** Parses the JSON body. Undefined without a body. Another site's form cannot send this content type without a CORS preflight. */
export async function readJsonBody(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  if (!hasBody(request)) return undefined
  const type = request.headers['content-type'] ?? ''
  if (
    !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) ||
    request.headers['content-encoding'] !== undefined
  )
    throw requestError(415, 'console.content_type', 'The body must be plain application/json.')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (error) {
    throw requestError(400, 'console.bad_request', `The body is not JSON: ${messageOf(error)}`)
  }
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

function tooLarge(bytesMax: number) {
  return requestError(413, 'console.too_large', `The body is larger than ${bytesMax} bytes.`)
}
