import { errorResult, type Tool } from '@ostler/agent-api'
import { pathLocations, withPath, type EditorToolOptions } from './tool-context.ts'

export function editFileTool(options: EditorToolOptions): Tool {
  const { client } = options
  return {
    ref: { server: null, tool: 'edit_file' },
    title: 'Edit file',
    description:
      'Replaces one piece of text in a file through the editor. "old_text" must be there exactly once, character by character: ' +
      'include enough surrounding lines to make it unique. Read the file first.',
    kind: 'edit',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute, or relative to the working directory' },
        old_text: { type: 'string', minLength: 1, description: 'The text to replace, exactly as it is in the file' },
        new_text: { type: 'string', description: 'The replacement' },
      },
      required: ['path', 'old_text', 'new_text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
    locations: pathLocations(options),
    execute: (args, { signal }) =>
      withPath(args['path'], options, async (path) => {
        const oldText = await client.readTextFile({ path }, signal)
        const edit = replaceOnce(oldText, String(args['old_text']), String(args['new_text']))
        if (edit.type === 'problem') return errorResult(`Nothing was changed: ${edit.problem}`)
        signal.throwIfAborted()
        await client.writeTextFile({ path, content: edit.text }, signal)
        return {
          isError: false,
          content: [
            { type: 'diff', path, oldText, newText: edit.text },
            { type: 'text', text: `Edited ${path} at line ${edit.line}` },
          ],
          locations: [{ path, line: edit.line }],
        }
      }),
  }
}

export type Edit =
  | { readonly type: 'edited'; readonly text: string; readonly line: number }
  | { readonly type: 'problem'; readonly problem: string }

export function replaceOnce(text: string, before: string, after: string): Edit {
  if (before === '') return { type: 'problem', problem: 'old_text is empty.' }
  const at = text.indexOf(before)
  if (at === -1) return { type: 'problem', problem: 'old_text is not in the file.' }
  if (text.indexOf(before, at + 1) !== -1)
    return { type: 'problem', problem: 'old_text is in the file more than once; include more of the text around it.' }
  if (before === after) return { type: 'problem', problem: 'old_text and new_text are the same.' }
  const line = text.slice(0, at).split('\n').length
  return { type: 'edited', text: text.slice(0, at) + after + text.slice(at + before.length), line }
}
