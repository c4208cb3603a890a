import { text as textBlock } from '../../messages/content.ts'
import { objectSchema, type Tool } from '../../messages/tool.ts'
import { OstlerError } from '../../base/errors.ts'
import { redactedMark } from '../../base/clean-text.ts'
import { byteOrderMark, plainForm } from '../disk/text-encoding.ts'
import type { TextFile } from '../workspace.ts'
import { resolvePath } from '../workspace-path.ts'
import type { FileAccess } from './file-access.ts'
import { toWholeDiff } from './file-diff.ts'
import { endingsOf, toLf } from './text-lines.ts'
import { changedByEditor } from './workspace-files.ts'
import { locationsOf, orErrorResult, pathProperty, planFor, unwritableReason } from '../file-tool.ts'
import { counted } from '../../base/quantities.ts'

const inputSchema = objectSchema(['path', 'content'], { path: pathProperty, content: { type: 'string' } })

export function writeFileTool(access: FileAccess): Tool {
  return {
    ref: { server: null, tool: 'write_file' },
    title: 'Write file',
    description:
      'Creates a file with its directories, or replaces all of it. To change a part, use edit_file.',
    kind: 'edit',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true },

    async plan(args, signal) {
      const path = await resolvePath(String(args['path']), access)
      const before = await access.loadToPlan(path, signal)
      const { text } = toWritten(String(args['content']), before)
      return planFor(path, {
        title: `Write ${path.shown} (${linesIn(text)})`,
        effect: 'write',
        content: [toWholeDiff(path.path, { before: before?.text, now: text }, access.cleaner)],
      })
    },

    execute: (args, { signal, plan }) =>
      orErrorResult(async () => {
        const content = String(args['content'])
        const { path, before, written, after } = await access.change({ args, plan, signal }, (file) =>
          toWritten(content, file),
        )
        const verb = before === undefined ? 'Created' : before.text === written.text ? 'Already so:' : 'Wrote'
        return {
          isError: false,
          content: [
            toWholeDiff(path.path, { before: before?.text, now: written.text }, access.cleaner),
            textBlock(
              [
                `${verb} ${path.shown} (${linesIn(written.text)}).`,
                ...changedByEditor(written.text, after),
              ].join('\n'),
            ),
          ],
          locations: locationsOf(path, []),
        }
      }),
  }
}

/** The new content in the form of the old one. */
function toWritten(content: string, before: TextFile | undefined): TextFile {
  const reason = unwritableReason(content)
  if (reason !== undefined)
    throw new OstlerError(
      'workspace.bad_content',
      `Nothing was written: the content cannot be that of a file, because ${reason}.`,
    )
  if (before !== undefined && marksIn(content) > marksIn(before.text)) {
    const reason = `The content contains ${redactedMark}, which stands for a secret that you were not shown`
    throw new OstlerError(
      'workspace.redacted',
      `Nothing was written: ${reason}. To keep the secret, change the rest with edit_file.`,
    )
  }
  const hasMark = content.startsWith(byteOrderMark)
  const text = hasMark ? content.slice(1) : content
  if (before === undefined) return { text, form: { ...plainForm, hasBom: hasMark } }
  return { text: withEndings(text, before.text), form: before.form }
}

function marksIn(text: string): number {
  return text.split(redactedMark).length
}

/** A file whose lines all end in one way keeps it. */
function withEndings(text: string, before: string): string {
  const endings = endingsOf(before)
  if (endings === 'none' || endings === 'mixed') return text
  const lf = toLf(text)
  return endings === 'lf' ? lf : lf.replaceAll('\n', '\r\n')
}

function linesIn(text: string): string {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return counted(count, 'line')
}
