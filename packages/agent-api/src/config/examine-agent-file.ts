import { agentFileSchema, type AgentFile } from './agent-file-schema.ts'
import { parseConfigDocument } from './config-document.ts'
import type { ConfigPath } from './config-path.ts'
import { completeServers } from './complete-servers.ts'
import type { ConfigProblem } from './describe-issue.ts'
import {
  applyOverrides,
  hasOverrides,
  readOverrides,
  sourceOf,
  type Environment,
  type Override,
  type Overrides,
} from './environment-overrides.ts'
import { describeUnset, expandData } from './expand-variables.ts'
import { foreignFields } from './foreign-fields.ts'
import { findIssues } from './find-issues.ts'
import { schemaView } from './schema-view.ts'

/** Everything that could be understood of an agent file, and all problems. */
export interface ExaminedAgentFile {
  /** Undefined if the data does not match the schema. */
  readonly file: AgentFile | undefined
  /** The data given to the schema: variables expanded, overrides applied, and servers completed. */
  readonly data: unknown
  readonly written: unknown
  readonly overrides: readonly Override[]
  /** If there are any, other problems are not reported. */
  readonly syntaxErrors: readonly { readonly place: string; readonly message: string }[]
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly ConfigProblem[]
  /** Assumptions. */
  readonly notes: readonly ConfigProblem[]
  /** They may be set when the agent is started. */
  readonly unset: readonly ConfigProblem[]
  readonly variableProblems: readonly { readonly variable: string; readonly message: string }[]
  readonly sourceOf: (path: ConfigPath) => string
}

const noOverrides: Overrides = { overrides: [], problems: [] }

/** Expands `${VAR}`, applies environment overrides, then validates. Without a text, only the environment counts. */
export function examineAgentFile(
  path: string | undefined,
  text: string | undefined,
  env: Environment,
): ExaminedAgentFile {
  const document = path === undefined || text === undefined ? undefined : parseConfigDocument(path, text)
  const syntaxErrors = document?.syntaxErrors ?? []
  const expansion = expandData(document?.data ?? {}, env)
  const { overrides, problems: variableProblems } = hasOverrides(env)
    ? readOverrides(env, expansion.data, schemaView())
    : noOverrides
  const { data, warnings, notes } = completeServers(applyOverrides(expansion.data, overrides), foreignFields)
  const parsed = agentFileSchema.safeParse(data)
  return {
    file: syntaxErrors.length > 0 ? undefined : parsed.data,
    data,
    written: document?.data,
    overrides,
    syntaxErrors,
    problems: findIssues(data, parsed.success),
    warnings,
    notes,
    unset: expansion.unset.map(describeUnset),
    variableProblems,
    sourceOf: (at) => sourceOf(at, overrides, document),
  }
}
