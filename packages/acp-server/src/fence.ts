import { showHidden } from '@ostler/agent-api'

/** A Markdown code block that no content can leave, and in which nothing hides: its fence is longer than any run of backticks inside. */
export function fence(content: string, language = ''): string {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(Math.max(3, longest + 1))
  return `${ticks}${language}\n${showHidden(content)}\n${ticks}`
}
