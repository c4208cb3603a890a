import { errorResult, type Tool, type ToolResult } from '@ostler/agent-api'
import { isRecord, messageOf } from '@ostler/agent-api/internal'
import { toElicitationSchema } from './to-elicitation-schema.ts'

export const askPersonTool: Tool = {
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
  execute: (args, { askForm }) =>
    orErrorResult(async () => {
      const requestedSchema = isRecord(args['schema']) ? toElicitationSchema(args['schema']) : undefined
      if (requestedSchema === undefined)
        return errorResult(
          'The form cannot be shown: every property must be a string, number, integer, boolean or an array of choices.',
        )
      const message = String(args['message'])
      const answer = await askForm?.({ message, schema: { ...requestedSchema } })
      if (answer?.verdict !== 'allow') {
        return errorResult(
          answer?.verdict === 'deny'
            ? 'The person declined to answer.'
            : 'The person closed the question without an answer.',
        )
      }
      const filled = answer.values ?? {}
      return {
        isError: false,
        content: [{ type: 'text', text: JSON.stringify(filled) }],
        structured: filled,
      }
    }),
}

/** A failure in the editor becomes an error result for the model. */
async function orErrorResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    return errorResult(`The editor reported: ${messageOf(error)}`)
  }
}
