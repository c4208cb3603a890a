import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { OstlerError, toSystemReason } from '../base/errors.ts'
import type { AgentServer } from '../policy/agent-server.ts'
import type { AgentFile } from './agent-file-schema.ts'
import type { ConfigProblem } from './describe-issue.ts'
import { applyOverrides, type Environment } from './environment-overrides.ts'
import { examineAgentFile, type ExaminedAgentFile } from './examine-agent-file.ts'

export interface LoadedAgentFile extends Pick<ExaminedAgentFile, 'sourceOf'> {
  readonly file: AgentFile
  /** The entries of `mcpServers` before variables are expanded, with the overrides of the environment. */
  readonly writtenServers: Readonly<Record<string, NonNullable<AgentServer['written']>>>
  /** Fields without effect. */
  readonly warnings: readonly string[]
  /** Assumptions. */
  readonly notes: readonly string[]
}

/** Without a file, only the environment counts. The error lists all problems at once. */
export async function loadAgentFile(path: string | undefined, env: Environment): Promise<LoadedAgentFile> {
  return toLoadedFile(path, await examineFile(path, env))
}

export async function examineFile(path: string | undefined, env: Environment): Promise<ExaminedAgentFile> {
  const text = path === undefined ? undefined : await readAgentText(path)
  if (path !== undefined && text === undefined) throw unreadable(path, 'no such file or directory')
  return examineAgentFile(path, text, env)
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
      writtenServers: writtenServersOf(examined),
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

/** Of a valid file. */
function writtenServersOf({ written, overrides }: ExaminedAgentFile): LoadedAgentFile['writtenServers'] {
  const { mcpServers = {} } = (applyOverrides(written, overrides) ?? {}) as {
    mcpServers?: LoadedAgentFile['writtenServers']
  }
  return mcpServers
}

/** In the order of the file. */
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

function byLine(a: string, b: string): number {
  const lineOf = (text: string) => Number(/:(\d+):\d+: /.exec(text)?.[1] ?? 0)
  return lineOf(a) - lineOf(b)
}

/** A larger file cannot be an agent file, and would take minutes to parse. */
const fileBytesMax = 1024 * 1024

/** Undefined if it does not exist. Throws `config.unreadable`. */
export async function readAgentText(path: string): Promise<string | undefined> {
  try {
    // Non-blocking, because opening a pipe would wait for a writer, and reading a device may never end.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (stats.size > fileBytesMax) throw new Error('it is larger than 1 MiB')
    if (stats.isFile() || stats.isDirectory()) return await file.readFile('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unreadable(path, toSystemReason(error), error)
  }
  throw unreadable(path, 'it is not a regular file')
}

function unreadable(path: string, reason: string, cause?: unknown): OstlerError {
  return new OstlerError('config.unreadable', `The agent file ${path} cannot be read: ${reason}.`, { cause })
}
