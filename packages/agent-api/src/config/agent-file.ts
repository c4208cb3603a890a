import { OstlerError } from '../base/errors.ts'
import type { AgentFile } from './agent-file-schema.ts'
import type { ConfigProblem } from './describe-issue.ts'
import type { Environment } from './environment-overrides.ts'
import { readAgentText, unreadable } from './read-agent-text.ts'
import { examineAgentFile, type ExaminedAgentFile } from './examine-agent-file.ts'

export interface LoadedAgentFile extends Pick<ExaminedAgentFile, 'sourceOf'> {
  readonly file: AgentFile
  /** Fields without effect, each with its place. */
  readonly warnings: readonly string[]
  /** Assumptions, each with its place. */
  readonly notes: readonly string[]
}

/** Reads an agent file, or only environment overrides if there is no file. The error lists all problems at once. */
export async function loadAgentFile(path: string | undefined, env: Environment): Promise<LoadedAgentFile> {
  return toLoadedFile(path, await examineFile(path, env))
}

export async function examineFile(path: string | undefined, env: Environment): Promise<ExaminedAgentFile> {
  return examineAgentFile(path, path === undefined ? undefined : await readText(path), env)
}

/** Throws `config.invalid` for a file with problems. `more` are problems that other rooms found. */
export function toLoadedFile(
  path: string | undefined,
  examined: ExaminedAgentFile,
  more: readonly string[] = [],
): LoadedAgentFile {
  const { file, sourceOf } = examined
  const all = problemsOf(examined)
  if (file !== undefined && all.length === 0)
    return {
      file,
      sourceOf,
      warnings: linesOf(examined.warnings, sourceOf),
      notes: linesOf(examined.notes, sourceOf),
    }
  const what = path === undefined ? 'The configuration in the environment' : `The agent file ${path}`
  throw new OstlerError(
    'config.invalid',
    `${what} is not valid:\n${[...all, ...more].map((problem) => `  ${problem}`).join('\n')}`,
    {
      data: { problems: [...all, ...more] },
    },
  )
}

/** Lists all problems with their places, in the order of the file. */
export function problemsOf({
  syntaxErrors,
  problems,
  unset,
  variableProblems,
  sourceOf,
}: ExaminedAgentFile): readonly string[] {
  if (syntaxErrors.length > 0) return syntaxErrors.map(({ place, message }) => `${place}: ${message}`)
  return [
    ...variableProblems.map(({ variable, message }) => `${variable}: ${message}`),
    ...linesOf([...problems, ...unset], sourceOf),
  ]
}

function linesOf(
  problems: readonly ConfigProblem[],
  sourceOf: LoadedAgentFile['sourceOf'],
): readonly string[] {
  return problems
    .map(({ path, message }) => `${sourceOf(path)}: ${path.join('.') || 'the file'}: ${message}`)
    .toSorted(byLine)
}

async function readText(path: string): Promise<string> {
  const text = await readAgentText(path)
  if (text === undefined) throw unreadable(path, 'no such file or directory')
  return text
}

function byLine(a: string, b: string): number {
  const lineOf = (text: string) => Number(/:(\d+):\d+: /.exec(text)?.[1] ?? 0)
  return lineOf(a) - lineOf(b)
}
