import type { DiffLine } from './diff-lines.ts'

const contextLines = 3

/** The lines that differ, between the equal lines at the beginning and at the end. A few equal lines around them show the place. */
export function toChangedLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [toLines(before, after), toLines(after, before)]
  const shared = Math.min(old.length, now.length)
  let start = 0
  while (start < shared && old[start] === now[start]) start++
  let end = 0
  while (end < shared - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  const from = Math.max(0, start - contextLines)
  const until = Math.min(now.length, now.length - end + contextLines)
  const as = (kind: DiffLine['kind'], lines: readonly string[]) =>
    lines.map((text): DiffLine => ({ kind, text }))
  const gap = (count: number): DiffLine[] =>
    count > 0 ? [{ kind: 'place', text: `${count} unchanged line${count === 1 ? '' : 's'}` }] : []
  return [
    ...gap(from),
    ...as('same', now.slice(from, start)),
    ...as('removed', old.slice(start, old.length - end)),
    ...as('added', now.slice(start, now.length - end)),
    ...as('same', now.slice(now.length - end, until)),
    ...gap(now.length - until),
  ]
}

/**
 * A final newline ends the last line and does not begin another. It is mentioned if only one of two texts has
 * it.
 */
function toLines(text: string, other: string): string[] {
  if (text === '') return []
  if (text.endsWith('\n')) return text.slice(0, -1).split('\n')
  return [...text.split('\n'), ...(other.endsWith('\n') ? ['(no newline at the end)'] : [])]
}
