import { agentFileSchema, type AgentFile } from './agent-file-schema.ts'
import { parseConfigDocument, type ConfigPath } from './config-document.ts'
import { checkServers } from './check-servers.ts'
import { describeIssue, type ConfigProblem } from './describe-issue.ts'
import {
  applyOverrides,
  hasOverrides,
  readOverrides,
  sourceOf,
  type Environment,
  type Override,
  type Overrides,
  type SchemaView,
} from './environment-overrides.ts'
import { describeUnset, expandData } from './expand-data.ts'
import { findIssues } from './find-issues.ts'
import { createSchemaView } from './schema-view.ts'

/** An agent file as far as it can be understood, and everything that is wrong with it. */
export interface ExaminedAgentFile {
  /** Unset where the schema does not allow it. */
  readonly file: AgentFile | undefined
  /** What the schema was asked about: variables filled in, the environment's word in it. */
  readonly data: unknown
  readonly overrides: readonly Override[]
  /** What keeps it from being read at all; then there is nothing else to say. */
  readonly syntaxErrors: readonly { readonly place: string; readonly message: string }[]
  readonly problems: readonly ConfigProblem[]
  /** Variables without a value: whoever starts the agent may have them. */
  readonly unset: readonly ConfigProblem[]
  /** Variables that are meant for us and name no field. */
  readonly variableProblems: readonly { readonly variable: string; readonly message: string }[]
  /** Where a field's value came from: a variable, or a place in the file. */
  readonly sourceOf: (path: ConfigPath) => string
}

const noOverrides: Overrides = { overrides: [], problems: [] }

/** `${VAR}` is filled in first, then variables named after a field take its place, then all is checked. Without a text there is only the environment. */
export function examineAgentFile(path: string | undefined, text: string | undefined, env: Environment): ExaminedAgentFile {
  const document = path === undefined || text === undefined ? undefined : parseConfigDocument(path, text)
  const syntaxErrors = document?.syntaxErrors ?? []
  // Looking into the schema takes longer than all the rest, and most files need it for nothing.
  let view: SchemaView | undefined
  const schema = () => (view ??= createSchemaView())
  const expansion = expandData(document?.data ?? {}, env)
  const { overrides, problems: variableProblems } = hasOverrides(env) ? readOverrides(env, expansion.data, schema()) : noOverrides
  const data = applyOverrides(expansion.data, overrides)
  const parsed = agentFileSchema.safeParse(data)
  return {
    file: syntaxErrors.length > 0 ? undefined : parsed.data,
    data,
    overrides,
    syntaxErrors,
    problems: [
      ...(parsed.success ? [] : findIssues(data)).flatMap((issue) => describeIssue(issue, data, (at) => schema().fieldsAt(at) ?? [])),
      ...checkServers(data),
    ],
    unset: expansion.unset.map(describeUnset),
    variableProblems,
    sourceOf: (at) => sourceOf(at, overrides, document),
  }
}
