import { textResult, type Tool } from '@ostler/agent-api'
import { pathLocations, withPath, type EditorToolOptions } from './tool-context.ts'

/** Default limit on lines, so that a huge file does not fill the conversation. */
const linesDefault = 2_000

export function readFileTool(options: EditorToolOptions): Tool {
  return {
    ref: { server: null, tool: 'read_file' },
    title: 'Read file',
    description:
      'Reads a text file as it is in the editor, unsaved changes included. ' +
      `Returns at most ${linesDefault} lines unless "limit" is set; use "line" to continue.`,
    kind: 'read',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute, or relative to the working directory' },
        line: { type: 'integer', minimum: 1, description: 'The first line to read, counted from 1' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to read' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    locations: pathLocations(options),
    execute: (args, { signal }) =>
      withPath(args['path'], options, async (path) => {
        const line = typeof args['line'] === 'number' ? { line: args['line'] } : {}
        const limit = typeof args['limit'] === 'number' ? args['limit'] : linesDefault
        return textResult(await options.client.readTextFile({ path, ...line, limit }, signal))
      }),
  }
}
