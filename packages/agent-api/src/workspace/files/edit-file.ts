import { errorResult, type Tool } from '../../messages/tool.ts'
import { resolvePath } from '../workspace-path.ts'
import type { FileAccess } from './file-access.ts'
import { orErrorResult, pathProperty, planFor, targetOf } from './file-tool.ts'

export function editFileTool({ roots, files, change }: FileAccess): Tool {
  return {
    ref: { server: null, tool: 'edit_file' },
    title: 'Edit file',
    description:
      'Replaces pieces of text in a file. Each "old_text" must be there exactly once: include enough surrounding lines to make it unique. Read the file first.',
    kind: 'edit',
    inputSchema: {
      type: 'object',
      properties: {
        path: pathProperty,
        edits: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              old_text: { type: 'string', minLength: 1, description: 'The text to replace, as it is in the file' },
              new_text: { type: 'string', description: 'The replacement' },
            },
            required: ['old_text', 'new_text'],
            additionalProperties: false,
          },
        },
      },
      required: ['path', 'edits'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
    async plan(args, signal) {
      const path = await resolvePath(String(args['path']), roots)
      const oldText = await files.readText(path.path, signal)
      const edit = replaceEach(oldText, args['edits'] as readonly Replacement[])
      const content = edit.type === 'problem' ? [] : [{ type: 'diff', path: path.path, oldText, newText: edit.text } as const]
      return planFor(path, { title: `Edit ${path.shown}`, effect: 'write', content })
    },
    execute: (args, { signal, plan }) =>
      orErrorResult(async () => {
        const { path, real, shown } = await targetOf(args, roots, plan)
        return change(
          real,
          async () => {
            const oldText = await files.readText(path, signal)
            const edit = replaceEach(oldText, args['edits'] as readonly Replacement[])
            if (edit.type === 'problem') return errorResult(`Nothing was changed: ${edit.problem}`)
            signal.throwIfAborted()
            await files.writeText(path, edit.text, signal)
            return {
              isError: false,
              content: [
                { type: 'diff', path, oldText, newText: edit.text },
                { type: 'text', text: `Edited ${shown}` },
              ],
            }
          },
          signal,
        )
      }),
  }
}

interface Replacement {
  readonly old_text: string
  readonly new_text: string
}

type Edit = { readonly type: 'edited'; readonly text: string } | { readonly type: 'problem'; readonly problem: string }

function replaceEach(text: string, edits: readonly Replacement[]): Edit {
  let now = text
  for (const { old_text: before, new_text: after } of edits) {
    const at = now.indexOf(before)
    if (at === -1) return { type: 'problem', problem: 'old_text is not in the file.' }
    if (now.indexOf(before, at + 1) !== -1)
      return { type: 'problem', problem: 'old_text is in the file more than once; include more of the text around it.' }
    now = now.slice(0, at) + after + now.slice(at + before.length)
  }
  return { type: 'edited', text: now }
}
