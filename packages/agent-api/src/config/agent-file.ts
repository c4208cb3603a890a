import { readFile } from 'node:fs/promises'
import { messageOf, OstlerError } from '../errors.ts'
import { agentFileSchema, type AgentFile } from './agent-file-schema.ts'
import { parseConfigDocument, type ConfigPath } from './config-document.ts'
import { checkServers } from './check-servers.ts'
import { describeIssue } from './describe-issue.ts'
import {
  applyOverrides,
  hasOverrides,
  readOverrides,
  sourceOf,
  type Environment,
  type Overrides,
  type SchemaView,
} from './environment-overrides.ts'
import { expandVariables } from './expand-variables.ts'
import { createSchemaView } from './schema-view.ts'

export interface LoadedAgentFile {
  readonly file: AgentFile
  /** Where a field's value came from: a variable, or a place in the file. */
  readonly sourceOf: (path: ConfigPath) => string
}

/**
 * Reads an agent file, or only the environment's word where there is none. `${VAR}` is filled in first, then variables named after a field
 * take its place, then all is checked. Everything that is wrong is said at once.
 */
export async function loadAgentFile(path: string | undefined, env: Environment): Promise<LoadedAgentFile> {
  const document = path === undefined ? undefined : parseConfigDocument(path, await readText(path))
  const syntaxErrors = document?.syntaxErrors ?? []
  if (syntaxErrors.length > 0)
    throw invalid(
      path,
      syntaxErrors.map(({ place, message }) => `${place}: ${message}`),
    )

  // Looking into the schema takes longer than all the rest, and most files need it for nothing.
  let view: SchemaView | undefined
  const schema = () => (view ??= createSchemaView())
  const expansion = expandAll(document?.data ?? {}, env)
  const { overrides, problems } = hasOverrides(env) ? readOverrides(env, expansion.data, schema()) : noOverrides
  const data = applyOverrides(expansion.data, overrides)
  const parsed = agentFileSchema.safeParse(data)
  const where = (at: ConfigPath) => sourceOf(at, overrides, document)
  const wrong = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, data, (at) => schema().fieldsAt(at) ?? [])),
    ...checkServers(data),
    ...expansion.unset.map(({ path: at, name }) => ({
      path: at,
      message: `the variable ${name} is not set; \${${name}:-default} gives it a value`,
    })),
  ]
  const all = [
    ...problems.map(({ variable, message }) => `${variable}: ${message}`),
    ...wrong.map((problem) => `${where(problem.path)}: ${problem.path.join('.') || 'the file'}: ${problem.message}`).toSorted(byLine),
  ]
  if (parsed.success && all.length === 0) return { file: parsed.data, sourceOf: where }
  throw invalid(path, all)
}

const noOverrides: Overrides = { overrides: [], problems: [] }

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new OstlerError('config.unreadable', `The agent file ${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

/** In the order of the file, so that a person can go through it once. */
function byLine(a: string, b: string): number {
  const lineOf = (text: string) => Number(/:(\d+):\d+: /.exec(text)?.[1] ?? 0)
  return lineOf(a) - lineOf(b)
}

function invalid(path: string | undefined, problems: readonly string[]): OstlerError {
  const what = path === undefined ? 'The configuration in the environment' : `The agent file ${path}`
  return new OstlerError('config.invalid', `${what} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

interface ExpandedData {
  readonly data: unknown
  readonly unset: readonly { readonly path: ConfigPath; readonly name: string }[]
}

function expandAll(data: unknown, env: Environment): ExpandedData {
  const unset: { path: ConfigPath; name: string }[] = []
  const expand = (value: unknown, path: ConfigPath): unknown => {
    if (typeof value === 'string') {
      const expanded = expandVariables(value, env)
      unset.push(...expanded.unset.map((name) => ({ path, name })))
      return expanded.text
    }
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, [...path, key])]))
  }
  return { data: expand(data, []), unset }
}
