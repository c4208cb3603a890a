import { errorResult, type Tool } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'
import { fromElicitationResponse } from './from-elicitation-response.ts'
import { toElicitationSchema } from './to-elicitation-schema.ts'
import { orErrorResult, type EditorToolOptions } from './tool-context.ts'

export function askPersonTool({ client, sessionId }: EditorToolOptions): Tool {
  return {
    ref: { server: null, tool: 'ask_person' },
    title: 'Ask the person',
    description:
      'Asks the person with a form. schema: the JSON Schema of a flat object of strings (also with enum), numbers, booleans and arrays of choices. ' +
      'Never ask for passwords or keys.',
    kind: 'other',
    isInternal: true,
    inputSchema: {
      type: 'object',
      properties: {
        message: { type: 'string', minLength: 1 },
        schema: { type: 'object' },
      },
      required: ['message', 'schema'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: (args, { signal, toolCallId, askForm }) =>
      orErrorResult(async () => {
        const requestedSchema = isRecord(args['schema']) ? toElicitationSchema(args['schema']) : undefined
        if (requestedSchema === undefined)
          return errorResult('The form cannot be shown: every property must be a string, number, integer, boolean or an array of choices.')
        const message = String(args['message'])
        const here = async (stop: AbortSignal) =>
          fromElicitationResponse(await client.elicit({ mode: 'form', sessionId, toolCallId, message, requestedSchema }, stop))
        const answer = await (askForm === undefined ? here(signal) : askForm({ message, schema: { ...requestedSchema } }, here))
        if (answer.action !== 'accept') {
          return errorResult(
            answer.action === 'decline' ? 'The person declined to answer.' : 'The person closed the question without an answer.',
          )
        }
        const filled = answer.content ?? {}
        return { isError: false, content: [{ type: 'text', text: JSON.stringify(filled) }], structured: filled }
      }),
  }
}
