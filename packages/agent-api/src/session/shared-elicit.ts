import { isRecord } from '../base/is-record.ts'
import type { QuestionBody, StoredAnswer } from '../history/questions.ts'
import type { McpElicitation, McpElicitationAnswer, McpHost } from '../mcp/mcp-client.ts'
import { askBoth, type AskBothOptions } from './ask-both.ts'

/** Asks a server's question in the editor and in the console at once. Undefined if the editor cannot ask: nobody may be at the console. */
export function createSharedElicit(elicit: McpHost['elicit'], options: AskBothOptions): McpHost['elicit'] {
  if (elicit === undefined) return undefined
  return (request, signal) =>
    askBoth(
      options,
      toBody(request),
      { here: (stop) => elicit(request, stop), fromStored: (stored) => fromStored(stored, request) },
      signal,
    )
}

function toBody(request: McpElicitation): QuestionBody {
  const { server, message } = request
  return request.mode === 'form'
    ? { kind: 'form', server, message, schema: request.schema }
    : { kind: 'page', server, message, url: request.url }
}

/** Only an explicit `accept` counts as yes. Fields that the form does not have are dropped. */
function fromStored({ choice, arguments: content = {} }: StoredAnswer, request: McpElicitation): McpElicitationAnswer {
  if (choice !== 'accept') return { action: choice === 'decline' ? 'decline' : 'cancel' }
  if (request.mode === 'url') return { action: 'accept' }
  const { properties } = request.schema
  const names = isRecord(properties) ? Object.keys(properties) : []
  return { action: 'accept', content: Object.fromEntries(Object.entries(content).filter(([name]) => names.includes(name))) }
}
