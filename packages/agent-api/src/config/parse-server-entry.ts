import { agentFileSchema, type AgentFile } from './agent-file-schema.ts'
import { checkServers } from './check-servers.ts'
import { describeIssue, type ConfigProblem } from './describe-issue.ts'
import type { Environment } from './environment-overrides.ts'
import { describeUnset, expandData, type UnsetVariable } from './expand-data.ts'
import { findIssues } from './find-issues.ts'
import { createSchemaView } from './schema-view.ts'
import { serverNameLengthMax } from './server-name.ts'

export type ServerEntry = AgentFile['mcpServers'][string]

/** One entry of `mcpServers` that stands in no agent file: by the same rules, and with the same words for what is wrong. */
export interface ParsedServerEntry {
  /** Unset when there is anything wrong, a variable without a value included. */
  readonly entry: ServerEntry | undefined
  /** Paths begin in the entry. */
  readonly problems: readonly ConfigProblem[]
  /** Apart from these there may be nothing wrong: whoever uses the server may have them. */
  readonly unset: readonly ConfigProblem[]
}

export function parseServerEntry(name: string, raw: unknown, env: Environment): ParsedServerEntry {
  const expansion = expandData(raw, env)
  // A name that the schema would not take is another's to complain about: the rest must be said all the same.
  const key = name.length > 0 && name.length <= serverNameLengthMax ? name : 'server'
  const data = { mcpServers: { [key]: expansion.data } }
  const parsed = agentFileSchema.safeParse(data)
  const view = parsed.success ? undefined : createSchemaView()
  const problems = [
    ...(parsed.success ? [] : findIssues(data)).flatMap((issue) => describeIssue(issue, data, (at) => view?.fieldsAt(at) ?? [])),
    ...checkServers(data),
  ]
    .map(({ path, message }) => ({ path: path.slice(2), message }))
    // What a field says with a variable in it is not known before the variable is.
    .filter((problem) => !expansion.unset.some((unset) => isAt(unset, problem)))
  const isWhole = problems.length === 0 && expansion.unset.length === 0
  return { entry: isWhole ? parsed.data?.mcpServers[key] : undefined, problems, unset: expansion.unset.map(describeUnset) }
}

function isAt(unset: UnsetVariable, { path }: ConfigProblem): boolean {
  return unset.path.length === path.length && unset.path.every((key, index) => key === path[index])
}
