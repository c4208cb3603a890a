export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'place'
  readonly text: string
}

export function toDiffLines(diff: string): readonly DiffLine[] {
  const lines = diff.split('\n')
  const from = lines.findIndex((line) => line.startsWith('@@'))
  return lines
    .slice(Math.max(from, 0))
    .filter((line, index, all) => line !== '' || index < all.length - 1)
    .map((line) => ({ kind: kindOf(line), text: line }))
}

function kindOf(line: string): DiffLine['kind'] {
  if (line.startsWith('@@') || line.startsWith('\\')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'same'
}
