import type { ToolRef } from '../messages/tool.ts'

/** Matches `server:tool`, `server:*`, or a bare name, which applies to every server. A tool's name may itself contain a colon. */
export function matchesTrust(pattern: string, { server, tool }: ToolRef): boolean {
  if (pattern === tool) return true
  if (server === null) return false
  return pattern === `${server}:${tool}` || pattern === `${server}:*`
}

/** Warns about patterns that trust more, or less, than they seem to. */
export function warnOfPatterns(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    if (/^\*(?::|$)/.test(pattern))
      return [`trustedTools: '${pattern}' is not supported and trusts nothing; use 'SERVER:*' to trust all tools of one server`]
    if (pattern.includes(':')) return []
    return [
      `trustedTools: '${pattern}' trusts the tool of that name on every server, including session servers; use 'SERVER:${pattern}' to trust one server`,
    ]
  })
}
