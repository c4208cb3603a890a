import type { ToolOutput } from '../messages/tool.ts'

/** Searching a longer text for secrets would block the event loop. */
const diffCharsMax = 300_000

/** Says what is left out instead of a diff that is too long to show. */
export function withoutLongDiffs(content: readonly ToolOutput[]): readonly ToolOutput[] {
  return content.map((output) => {
    if (output.type !== 'diff') return output
    const length = (output.oldText?.length ?? 0) + output.newText.length
    if (length <= diffCharsMax) return output
    return { type: 'text', text: `[What this changes is too large to show: ${length.toLocaleString('en')} characters.]` }
  })
}
