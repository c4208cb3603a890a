const contextLines = 3

/** Above this, the lines between the common start and end count as replaced. */
const comparedLinesMax = 2_000

/** In the format of `diff -u`. Empty for equal texts. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [toLines(before), toLines(after)]
  const steps = stepsBetween(old, now)
  const changed = steps.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const hunks: { from: number; to: number }[] = []
  for (const index of changed) {
    const last = hunks.at(-1)
    const [from, to] = [Math.max(0, index - contextLines), Math.min(steps.length, index + contextLines + 1)]
    if (last !== undefined && from <= last.to) last.to = to
    else hunks.push({ from, to })
  }
  return [`--- ${name}\n+++ ${name}\n`, ...hunks.map(({ from, to }) => toHunk(steps, from, to))].join('')
}

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

function toHunk(steps: readonly Step[], from: number, to: number): string {
  const count = (signs: string, end: number, start = 0) =>
    steps.slice(start, end).filter(({ sign }) => signs.includes(sign)).length
  const range = (signs: string) => {
    const length = count(signs, to, from)
    return `${count(signs, from) + (length === 0 ? 0 : 1)},${length}`
  }
  const lines = steps
    .slice(from, to)
    .map(
      ({ sign, line }) => `${sign}${line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`}`,
    )
  return `@@ -${range(' -')} +${range(' +')} @@\n${lines.join('')}`
}

function stepsBetween(old: readonly string[], now: readonly string[]): Step[] {
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const same = (lines: readonly string[]) => lines.map((line): Step => ({ sign: ' ', line }))
  const [before, after] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  return [...same(old.slice(0, start)), ...changedSteps(before, after), ...same(old.slice(old.length - end))]
}

function changedSteps(old: readonly string[], now: readonly string[]): Step[] {
  if (Math.max(old.length, now.length) > comparedLinesMax)
    return [
      ...old.map((line): Step => ({ sign: '-', line })),
      ...now.map((line): Step => ({ sign: '+', line })),
    ]
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (row !== undefined)
        row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      steps.push({ sign: ' ', line: old[i] ?? '' })
      i++
      j++
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
      steps.push({ sign: '-', line: old[i++] ?? '' })
    else steps.push({ sign: '+', line: now[j++] ?? '' })
  }
  return steps
}

function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}
