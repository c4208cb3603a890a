import type { ToolRef } from '../messages/tool.ts'

/** It never means a server, so that no server can use the name. */
const thisProcess = 'ostler'

/**
 * Matches `server:tool`, `server:*`, `ostler:tool` and `ostler:*` for tools of this process, or a bare name, which applies to every server.
 * A tool's name may itself contain a colon.
 */
export function matchesTrust(pattern: string, { server, tool }: ToolRef): boolean {
  if (pattern === tool) return true
  if (server === thisProcess) return false
  const owner = server ?? thisProcess
  return pattern === `${owner}:${tool}` || pattern === `${owner}:*`
}

/** Warns about patterns that trust more or less than they seem to. */
export function warnOfPatterns(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    if (/^\*(?::|$)/.test(pattern))
      return [
        `trustedTools: '${pattern}' is not supported and trusts nothing; use 'SERVER:*' to trust all tools of one server`,
      ]
    if (pattern.includes(':')) return []
    return [
      `trustedTools: '${pattern}' trusts the tool of that name on every server, including session servers; use 'SERVER:${pattern}' to trust one server's, or 'ostler:${pattern}' for the built-in tool`,
    ]
  })
}
