import { showHidden } from './strip-hidden.ts'

/**
 * Creates a Markdown code block that its content cannot close: its fence is longer than any run of backticks inside. Hidden characters are
 * made visible.
 */
export function fence(content: string, language = ''): string {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(Math.max(3, longest + 1))
  return `${ticks}${language}\n${showHidden(content)}\n${ticks}`
}
