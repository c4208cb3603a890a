import { textResult, type Tool } from '../../messages/tool.ts'
import { resolvePath } from '../workspace-path.ts'
import type { FileAccess } from './file-access.ts'
import { orErrorResult, pathProperty, planFor, targetOf } from './file-tool.ts'

/** Default limit on lines, so that a huge file does not fill the conversation. */
const linesDefault = 2_000

export function readFileTool({ roots, files }: FileAccess): Tool {
  return {
    ref: { server: null, tool: 'read_file' },
    title: 'Read file',
    description: `Reads a text file, unsaved changes in the editor included. Returns at most ${linesDefault} lines unless "limit" is set; use "line" to continue.`,
    kind: 'read',
    inputSchema: {
      type: 'object',
      properties: {
        path: pathProperty,
        line: { type: 'integer', minimum: 1, description: 'The first line to read, counted from 1' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to read' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    async plan(args) {
      const path = await resolvePath(String(args['path']), roots)
      return planFor(path, { title: `Read ${path.shown}`, effect: 'read' })
    },
    execute: (args, { signal, plan }) =>
      orErrorResult(async () => {
        const { path } = await targetOf(args, roots, plan)
        const from = typeof args['line'] === 'number' ? args['line'] : 1
        const limit = typeof args['limit'] === 'number' ? args['limit'] : linesDefault
        const lines = (await files.readText(path, signal)).split('\n')
        return textResult(lines.slice(from - 1, from - 1 + limit).join('\n'))
      }),
  }
}
