import { counted } from '../base/quantities.ts'

/** The tokens of a tool in a request: those of its definition, or of its name and first sentence while its schema waits, which saves the rest. */
export interface ToolSize {
  readonly tool: string
  readonly sent: number
  readonly saved: number
}

/** `1,100 tokens`, or `1,100 tokens, 12,000 saved`. Sizes are estimates, so large ones are rounded. */
export function describeSizes(sizes: readonly Omit<ToolSize, 'tool'>[]): string {
  const [sent, saved] = [sizes.map((size) => size.sent), sizes.map((size) => size.saved)].map((all) =>
    rounded(all.reduce((sum, tokens) => sum + tokens, 0)),
  )
  return `${counted(sent ?? 0, 'token')}${saved === 0 ? '' : `, ${saved?.toLocaleString('en')} saved`}`
}

function rounded(tokens: number): number {
  return tokens < 1_000 ? tokens : Math.round(tokens / 100) * 100
}
