import type { TextCleaner } from '../../base/clean-text.ts'
import type { DiffOutput } from '../../messages/tool.ts'
import type { TextChange } from './apply-edits.ts'
import { createTextLines, type TextLines } from './text-lines.ts'
import { counted } from '../../base/quantities.ts'

/** Up to this length, both texts are shown in full. */
const wholeCharsMax = 64 * 1024
const contextLines = 3
/** Limit on the removed text that is shown. Added text is always shown whole. */
const removedCharsMax = 64 * 1024

/** A diff for the editor. In a long file, unchanged parts become one line on both sides. Nothing that changes is hidden. */
export function toFileDiff(
  path: string,
  {
    oldText,
    newText,
    changes,
    newLines,
  }: {
    readonly oldText: string
    readonly newText: string
    readonly changes: readonly TextChange[]
    /** Computed if the caller has none. */
    readonly newLines?: TextLines
  },
  cleaner: TextCleaner,
): DiffOutput {
  if (oldText.length + newText.length <= wholeCharsMax) return { type: 'diff', path, oldText, newText }
  const [old, now] = [createTextLines(oldText), newLines ?? createTextLines(newText)]
  const hunks = toHunks(changes, old, now)
  const parts: { readonly old: string; readonly now: string }[] = []
  let oldLine = 0
  for (const hunk of hunks) {
    if (hunk.oldFrom > oldLine) parts.push(skipped(hunk.oldFrom - oldLine))
    const [removed, added] = [
      linesOf(oldText, old, hunk.oldFrom, hunk.oldTo),
      linesOf(newText, now, hunk.newFrom, hunk.newTo),
    ]
    const differing = withoutCommonEnds(removed, added, cleaner)
    parts.push({ old: shortened(differing.old, cleaner), now: differing.now })
    oldLine = hunk.oldTo
  }
  if (oldLine < old.starts.length) parts.push(skipped(old.starts.length - oldLine))
  return {
    type: 'diff',
    path,
    oldText: parts.map((part) => part.old).join(''),
    newText: parts.map((part) => part.now).join(''),
  }
}

/** A missing file has no text. */
export function toWholeDiff(
  path: string,
  { before, now }: { readonly before: string | undefined; readonly now: string | undefined },
  cleaner: TextCleaner,
): DiffOutput {
  if (before === undefined || now === undefined)
    return { type: 'diff', path, oldText: before ?? null, newText: now ?? '' }
  return toFileDiff(path, { oldText: before, newText: now, changes: changeBetween(before, now) }, cleaner)
}

/** Characters that are shown around a change in a very long line. */
const contextChars = 2_000

function withoutCommonEnds(
  old: string,
  now: string,
  cleaner: TextCleaner,
): { readonly old: string; readonly now: string } {
  if (old.length + now.length <= wholeCharsMax) return { old, now }
  const [change] = changeBetween(old, now)
  const start = Math.max(0, (change?.oldStart ?? 0) - contextChars)
  const same = Math.max(0, old.length - (change?.oldEnd ?? old.length) - contextChars)
  const mark = (count: number) => (count === 0 ? '' : `[… ${count} unchanged characters …]`)
  const cut = (text: string) =>
    `${mark(start)}${partOf(text, start, text.length - same, cleaner)}${mark(same)}`
  return { old: cut(old), now: cut(now) }
}

/** A long text is compared in blocks, which is much faster. */
const blockChars = 4_096

function isSameBlock(oldText: string, newText: string, fromEnd: number): boolean {
  const block = oldText.slice(oldText.length - fromEnd - blockChars, oldText.length - fromEnd)
  return newText.startsWith(block, newText.length - fromEnd - blockChars)
}

/** Everything between the common start and end of two whole texts. */
export function changeBetween(oldText: string, newText: string): readonly TextChange[] {
  const shorter = Math.min(oldText.length, newText.length)
  let start = 0
  while (start + blockChars <= shorter && newText.startsWith(oldText.slice(start, start + blockChars), start))
    start += blockChars
  while (start < shorter && oldText[start] === newText[start]) start++
  let same = 0
  const sameMax = shorter - start - blockChars
  while (same <= sameMax && isSameBlock(oldText, newText, same)) same += blockChars
  while (same < shorter - start && oldText[oldText.length - 1 - same] === newText[newText.length - 1 - same])
    same++
  return [{ oldStart: start, oldEnd: oldText.length - same, newStart: start, newEnd: newText.length - same }]
}

/** Lines counted from 0; `to` is exclusive. */
interface Hunk {
  readonly oldFrom: number
  oldTo: number
  readonly newFrom: number
  newTo: number
}

function toHunks(changes: readonly TextChange[], old: TextLines, now: TextLines): readonly Hunk[] {
  const hunks: Hunk[] = []
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    const before = Math.min(contextLines, old.lineAt(oldStart) - 1, now.lineAt(newStart) - 1)
    const after = Math.min(
      contextLines,
      old.starts.length - old.lineAt(oldEnd),
      now.starts.length - now.lineAt(newEnd),
    )
    const hunk = {
      oldFrom: old.lineAt(oldStart) - 1 - before,
      oldTo: old.lineAt(oldEnd) + after,
      newFrom: now.lineAt(newStart) - 1 - before,
      newTo: now.lineAt(newEnd) + after,
    }
    const last = hunks.at(-1)
    if (last === undefined || hunk.oldFrom > last.oldTo) hunks.push(hunk)
    else [last.oldTo, last.newTo] = [hunk.oldTo, hunk.newTo]
  }
  return hunks
}

function linesOf(text: string, { starts }: TextLines, from: number, to: number): string {
  return text.slice(starts[from] ?? text.length, starts[to] ?? text.length)
}

function skipped(lines: number): { readonly old: string; readonly now: string } {
  const mark = `[… ${counted(lines, 'unchanged line')} …]\n`
  return { old: mark, now: mark }
}

function shortened(removed: string, cleaner: TextCleaner): string {
  if (removed.length <= removedCharsMax) return removed
  const half = removedCharsMax / 2
  const left = removed.length - removedCharsMax
  const [first, last] = [
    partOf(removed, 0, half, cleaner),
    partOf(removed, removed.length - half, removed.length, cleaner),
  ]
  return `${first}\n[… ${left} more characters of the old text …]\n${last}`
}

/** Examined before a part, so that no end of a secret remains at its beginning. */
const lookBackChars = 16 * 1024

function partOf(text: string, start: number, end: number, { rest, openEnd }: TextCleaner): string {
  const part = text.slice(start, end)
  const closed = end === text.length ? part : part.slice(0, part.length - openEnd(part))
  return start === 0 ? closed : rest(text.slice(Math.max(0, start - lookBackChars), start), closed)
}
