import type { Tool } from '../../messages/tool.ts'
import { resolvePath } from '../workspace-path.ts'
import type { FileAccess } from './file-access.ts'
import { orErrorResult, pathProperty, planFor, targetOf } from './file-tool.ts'

export function writeFileTool({ roots, files, change }: FileAccess): Tool {
  return {
    ref: { server: null, tool: 'write_file' },
    title: 'Write file',
    description: 'Writes a text file, creating it or replacing everything in it. To change part of a file, prefer edit_file.',
    kind: 'edit',
    inputSchema: {
      type: 'object',
      properties: { path: pathProperty, content: { type: 'string', description: 'The whole new content' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
    async plan(args, signal) {
      const path = await resolvePath(String(args['path']), roots)
      const oldText = await files.readText(path.path, signal).catch(() => null)
      const newText = String(args['content'])
      return planFor(path, {
        title: `Write ${path.shown}`,
        effect: 'write',
        content: [{ type: 'diff', path: path.path, oldText, newText }],
      })
    },
    execute: (args, { signal, plan }) =>
      orErrorResult(async () => {
        const { path, real, shown } = await targetOf(args, roots, plan)
        const newText = String(args['content'])
        return change(
          real,
          async () => {
            const oldText = await files.readText(path, signal).catch(() => null)
            signal.throwIfAborted()
            await files.writeText(path, newText, signal)
            return {
              isError: false,
              content: [
                { type: 'diff', path, oldText, newText },
                { type: 'text', text: `Wrote ${shown}` },
              ],
            }
          },
          signal,
        )
      }),
  }
}
