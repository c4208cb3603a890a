import { unifiedDiff } from '@ostler/agent-api/internal'
import { toSafeText } from './safe-text.ts'
import type { Style } from './style.ts'

export interface FileDiff {
  readonly path: string
  readonly oldText?: string | null
  readonly newText: string
}

/** A change of a file, as rows in the format of `diff -u`. Nothing of it is left out. */
export function formatDiff({ path, oldText, newText }: FileDiff, style: Style): readonly string[] {
  const lines = unifiedDiff(toSafeText(path), toSafeText(oldText ?? ''), toSafeText(newText)).split('\n')
  return lines.slice(0, -1).map((line, index) => {
    if (index < 2) return style('bold', line)
    if (line.startsWith('@@')) return style('cyan', line)
    if (line.startsWith('+')) return style('green', line)
    return line.startsWith('-') ? style('red', line) : line
  })
}
