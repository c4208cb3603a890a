import type { Tool } from '@ostler/agent-api'
import { pathLocations, withPath, type EditorToolOptions } from './tool-context.ts'

export function writeFileTool(options: EditorToolOptions): Tool {
  const { client, capabilities } = options
  return {
    ref: { server: null, tool: 'write_file' },
    title: 'Write file',
    description:
      'Writes a text file through the editor, creating it or replacing everything in it. To change part of a file, prefer edit_file.',
    kind: 'edit',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute, or relative to the working directory' },
        content: { type: 'string', description: 'The whole new content' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
    locations: pathLocations(options),
    execute: (args, { signal }) =>
      withPath(args['path'], options, async (path) => {
        const newText = String(args['content'])
        // A file that cannot be read is most likely new, and is shown as new in the diff.
        const oldText = capabilities.readTextFile ? await client.readTextFile({ path }, signal).catch(() => null) : null
        signal.throwIfAborted()
        await client.writeTextFile({ path, content: newText }, signal)
        return {
          isError: false,
          content: [
            { type: 'diff', path, oldText, newText },
            { type: 'text', text: `Wrote ${path}` },
          ],
        }
      }),
  }
}
