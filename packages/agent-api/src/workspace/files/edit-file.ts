import type { TextCleaner } from '../../base/clean-text.ts'
import { OstlerError } from '../../base/errors.ts'
import { nextTurn } from '../../base/in-slices.ts'
import { text as textBlock } from '../../messages/content.ts'
import {
  objectSchema,
  type CallPlan,
  type DiffOutput,
  type Tool,
  type ToolArguments,
  type ToolCallContext,
  type ToolResult,
} from '../../messages/tool.ts'
import type { TextFile } from '../workspace.ts'
import { resolvePath, type WorkspacePath } from '../workspace-path.ts'
import { applyEdits, type AppliedEdits, type Edit } from './apply-edits.ts'
import type { FileAccess } from './file-access.ts'
import { toFileDiff } from './file-diff.ts'
import {
  isGuarded,
  locationsOf,
  orErrorResult,
  pathProperty,
  planFor,
  unwritableReason,
} from '../file-tool.ts'
import { createTextLines, type TextLines } from './text-lines.ts'
import { counted } from '../../base/quantities.ts'
import { changedByEditor } from './workspace-files.ts'

const editsMax = 100
const shownLinesMax = 20

type Edited = Extract<AppliedEdits, { type: 'edited' }>

/** The text after the edits, with its lines: the diff and the answer both need them. */
type EditedLines = Edited & { readonly lines: TextLines }

const inputSchema = objectSchema(['path', 'edits'], {
  path: pathProperty,
  edits: {
    type: 'array',
    minItems: 1,
    maxItems: editsMax,
    items: objectSchema(['old_text', 'new_text'], {
      old_text: { type: 'string' },
      new_text: { type: 'string' },
      replace_all: { type: 'boolean' },
    }),
  },
})

export function editFileTool(access: FileAccess): Tool {
  return {
    ref: { server: null, tool: 'edit_file' },
    title: 'Edit file',
    description:
      'Replaces text in a file: all edits, or none if one does not fit. Read the file first. Each old_text must be in it exactly once, without the ' +
      'line numbers of read_file: include lines around it, or set replace_all. Edits do not see each other.',
    kind: 'edit',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true },

    plan: (args, signal) => planEdits(access, args, signal),
    execute: (args, context) => orErrorResult(() => runEdits(access, args, context)),
  }
}

async function planEdits(access: FileAccess, args: ToolArguments, signal: AbortSignal): Promise<CallPlan> {
  const path = await resolvePath(String(args['path']), access)
  const file = await access.loadToPlan(path, signal)
  const edits = editsOf(args)
  const applied = await applyTo(file, edits, { shown: path.shown, cleaner: access.cleaner, signal })
  if (applied.type === 'edited') {
    const edited = withLines(applied)
    await nextTurn()
    return planFor(path, {
      title: titleOf(path.shown, applied.changes.length),
      effect: 'write',
      content: [diffOf(access, path, file, edited)],
      lines: changedLines(edited).slice(0, shownLinesMax),
    })
  }
  if (!isGuarded(path)) throw unchanged(applied.problem)
  // The reason quotes the file, so the model reads it only if the person allows the call.
  const content = [textBlock('These edits do not fit the file, so the call will change nothing.')]
  return planFor(path, { title: titleOf(path.shown, edits.length), effect: 'write', content })
}

async function runEdits(
  access: FileAccess,
  args: ToolArguments,
  { signal, plan }: ToolCallContext,
): Promise<ToolResult> {
  const edits = editsOf(args)
  let applied: Edited | undefined
  const changed = await access.change({ args, plan, signal }, async (before, { shown }) => {
    const result = await applyTo(before, edits, { shown, cleaner: access.cleaner, signal })
    if (result.type === 'problem') throw unchanged(result.problem)
    applied = result
    return { text: result.text, form: before?.form ?? { encoding: 'utf-8', hasBom: false } }
  })
  if (applied === undefined) throw unchanged('the edits were not applied.')
  const { path, before, after } = changed
  const edited = withLines(applied)
  const lines = changedLines(edited)
  await nextTurn()
  const said = `Edited ${path.shown} at ${listOfLines(lines)}.`
  return {
    isError: false,
    content: [
      diffOf(access, path, before, edited),
      textBlock([said, ...applied.notes, ...changedByEditor(applied.text, after)].join('\n')),
    ],
    locations: locationsOf(path, lines.slice(0, shownLinesMax)),
  }
}

function diffOf(
  { cleaner }: FileAccess,
  { path }: WorkspacePath,
  before: TextFile | undefined,
  { text, changes, lines }: EditedLines,
): DiffOutput {
  return toFileDiff(path, { oldText: before?.text ?? '', newText: text, changes, newLines: lines }, cleaner)
}

function listOfLines(lines: readonly number[]): string {
  const left = lines.length - shownLinesMax
  const shown = lines.slice(0, shownLinesMax).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${left > 0 ? ` and ${left} more` : ''}`
}

function titleOf(shown: string, places: number): string {
  return `Edit ${shown} (${counted(places, 'place')})`
}

async function applyTo(
  file: TextFile | undefined,
  edits: readonly Edit[],
  {
    shown,
    cleaner,
    signal,
  }: { readonly shown: string; readonly cleaner: TextCleaner; readonly signal: AbortSignal },
): Promise<AppliedEdits> {
  if (file === undefined)
    return { type: 'problem', problem: `there is no file ${shown}. To create it, use write_file.` }
  const reason = edits.map(({ newText }) => unwritableReason(newText)).find((each) => each !== undefined)
  if (reason !== undefined)
    return { type: 'problem', problem: `new_text cannot be part of a file, because ${reason}.` }
  const applied = await applyEdits(file.text, edits, { clean: cleaner.clean, signal })
  // Each half of a character can be found alone.
  if (applied.type === 'edited' && !applied.text.isWellFormed())
    return { type: 'problem', problem: 'an edit would divide a Unicode character.' }
  return applied
}

function unchanged(problem: string): OstlerError {
  return new OstlerError('workspace.not_edited', `Nothing was changed: ${problem}`)
}

function editsOf(args: ToolArguments): readonly Edit[] {
  const list = args['edits'] as readonly {
    readonly old_text: string
    readonly new_text: string
    readonly replace_all?: boolean
  }[]
  return list.map(({ old_text: oldText, new_text: newText, replace_all: replaceAll = false }) => ({
    oldText,
    newText,
    replaceAll,
  }))
}

function withLines(edited: Edited): EditedLines {
  return { ...edited, lines: createTextLines(edited.text) }
}

/** The lines of the new text that begin a change. */
function changedLines({ changes, lines }: EditedLines): readonly number[] {
  return [...new Set(changes.map(({ newStart }) => lines.lineAt(newStart)))]
}
