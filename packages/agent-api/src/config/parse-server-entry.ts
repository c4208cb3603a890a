import { agentFileSchema, type AgentFile } from './agent-file-schema.ts'
import { completeServers } from './complete-servers.ts'
import type { ConfigProblem } from './describe-issue.ts'
import { isWithin } from './config-path.ts'
import type { Environment } from './environment-overrides.ts'
import { describeUnset, expandData, type UnsetVariable } from './expand-variables.ts'
import { findIssues } from './find-issues.ts'
import { serverNameLengthMax } from './server-name.ts'

export type ServerEntry = AgentFile['mcpServers'][string]

/** An `mcpServers` entry from outside an agent file, checked by the same rules. */
interface ParsedServerEntry {
  /** Undefined if there is any problem, or an unset variable. */
  readonly entry: ServerEntry | undefined
  /** Paths are relative to the entry. */
  readonly problems: readonly ConfigProblem[]
  /** They may be set when the server is used. */
  readonly unset: readonly ConfigProblem[]
}

export function parseServerEntry(name: string, raw: unknown, env: Environment): ParsedServerEntry {
  const expansion = expandData(raw, env)
  // Substitute a valid name, so that the other problems are still reported. The caller checks the name.
  const key = name.length > 0 && name.length <= serverNameLengthMax ? name : 'server'
  const { data } = completeServers({ mcpServers: { [key]: expansion.data } })
  const parsed = agentFileSchema.safeParse(data)
  const problems = findIssues(data, parsed.success)
    .map(({ path, message }) => ({ path: path.slice(2), message }))
    // Skip fields with an unset variable, because their value is unknown.
    .filter((problem) => !expansion.unset.some((unset) => isAt(unset, problem)))
  const isWhole = problems.length === 0 && expansion.unset.length === 0
  return {
    entry: isWhole ? parsed.data?.mcpServers[key] : undefined,
    problems,
    unset: expansion.unset.map(describeUnset),
  }
}

function isAt(unset: UnsetVariable, { path }: ConfigProblem): boolean {
  return unset.path.length === path.length && isWithin(path, unset.path)
}
