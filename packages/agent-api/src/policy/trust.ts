import type { ToolRef } from '../tools/tool.ts'

/** `server:tool`, `server:*`, or a bare name, which speaks of that tool on every server. A name of a tool may hold a colon itself. */
export function matchesTrust(pattern: string, { server, tool }: ToolRef): boolean {
  if (pattern === tool) return true
  if (server === null) return false
  return pattern === `${server}:${tool}` || pattern === `${server}:*`
}

/** Patterns that trust more than they seem to. */
export function warnOfBareNames(patterns: readonly string[]): string[] {
  return patterns
    .filter((pattern) => !pattern.includes(':'))
    .map(
      (pattern) =>
        `trustedTools: '${pattern}' trusts the tool of that name on every server, the editor's too; 'SERVER:${pattern}' trusts one`,
    )
}
