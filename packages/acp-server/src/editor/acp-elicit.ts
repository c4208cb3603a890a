import type { McpElicitationAnswer, McpHost } from '@ostler/agent-api/internal'
import { withoutRemoteImages } from '@ostler/agent-api/internal'
import type { EditorToolOptions } from './tool-context.ts'
import { fromElicitationResponse } from './from-elicitation-response.ts'
import { toElicitationSchema } from './to-elicitation-schema.ts'

const cancel: McpElicitationAnswer = { action: 'cancel' }

export interface ElicitOptions extends EditorToolOptions {
  readonly onPage?: (elicitationId: string) => void
}

/** Passes a server's question to the person, under the server's name. Undefined if the editor cannot ask. */
export function createAcpElicit({ client, sessionId, capabilities, onPage }: ElicitOptions): McpHost['elicit'] {
  if (!capabilities.elicitForm && !capabilities.elicitUrl) return undefined
  return async (request, signal) => {
    if (signal.aborted) return cancel
    const message = `The MCP server ${JSON.stringify(request.server)} asks: ${withoutRemoteImages(request.message)}`
    if (request.mode === 'form') {
      const requestedSchema = capabilities.elicitForm ? toElicitationSchema(request.schema) : undefined
      if (requestedSchema === undefined) return cancel
      return fromElicitationResponse(await client.elicit({ mode: 'form', sessionId, message, requestedSchema }, signal))
    }
    if (!capabilities.elicitUrl || !isWebUrl(request.url)) return cancel
    const { url, elicitationId } = request
    onPage?.(elicitationId)
    return fromElicitationResponse(await client.elicit({ mode: 'url', sessionId, message, url, elicitationId }, signal))
  }
}

/** A server must not make the editor open a file or start a program. */
function isWebUrl(url: string): boolean {
  const protocol = URL.parse(url)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
