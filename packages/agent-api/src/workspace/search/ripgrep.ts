import { hasForeignRules } from './ignore-levels.ts'
import { onAbort } from '../../base/or-aborted.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { OstlerError } from '../../base/errors.ts'
import { childEnvironment } from '../../processes/child-environment.ts'
import { compileGlob, type PathMatch } from './glob.ts'
import { lineCharsMax } from './to-found-text.ts'
import { join } from 'node:path'
import { isSecretPath } from '../../base/sensitive-path.ts'

export interface SearchJob {
  /** Real and absolute. */
  readonly folder: string
  /** The only file to search, in this folder. It is searched even if it is ignored. */
  readonly file: string | undefined
  readonly pattern: string
  readonly isLiteral: boolean
  readonly ignoresCase: boolean
  /** Lines before and after each match. */
  readonly context: number
  /** Only files that match. Relative to the folder. */
  readonly glob: string | undefined
  readonly matchesMax: number
  readonly includesSecrets: boolean
  /** Further files that are left out like those with secrets. */
  readonly ownFiles: readonly string[]
  readonly msMax: number
}

export interface FoundLine {
  /** Relative to the folder, with slashes. */
  readonly path: string
  readonly line: number
  /** Counted in bytes, from 1. Undefined for a line of context. */
  readonly column: number | undefined
  /** Long lines are cut. */
  readonly text: string
}

export interface SearchFound {
  readonly lines: readonly FoundLine[]
  /** Set if there may be more. */
  readonly stoppedBy: 'limit' | 'time' | undefined
  readonly unreadable: number
  /** Files with matches that were left out, because they usually hold secrets. */
  readonly secretFiles: number
}

/** Larger files are left out. */
const fileBytesMax = 100 * 1024 * 1024

/**
 * Ignores the person's own settings of ripgrep and rules from outside the folders, because they must not change the results. Hidden files
 * are searched, because projects keep their settings in them.
 */
const sameEverywhere = (folder: string) => [
  ...(hasForeignRules(folder) ? ['--no-ignore-parent'] : []),
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--glob=!.git',
  '--null',
]
/** ripgrep cuts longer lines, so that a file with a single line cannot fill the memory. */
const lineBytesMax = 4 * lineCharsMax
const searchFlags = [
  '--line-number',
  '--column',
  '--no-heading',
  '--with-filename',
  '--color=never',
  '--crlf',
  `--max-columns=${lineBytesMax}`,
  '--max-columns-preview',
  `--max-filesize=${fileBytesMax}`,
]
const errorCharsMax = 64 * 1024

/** Searches the text of files. Throws `search.missing` if ripgrep is not installed. */
export async function searchText(job: SearchJob, signal: AbortSignal): Promise<SearchFound> {
  const { glob } = job
  const isWanted: PathMatch = glob === undefined ? () => true : compileGlob(glob)
  const lines: FoundLine[] = []
  const secret = new Set<string>()
  let matchesLeft = job.matchesMax

  /** The beginning of a path with a line break in it. */
  let open = ''

  function take(part: string): boolean {
    const record = open + part
    const isOpen = record.startsWith('./') && !record.includes('\0') && !binaryRemark.test(record)
    open = isOpen ? `${record}\n` : ''
    const found = isOpen ? undefined : parseLine(record)
    if (found === undefined || !isWanted(found.path)) return true
    if (isLeftOut(job, found.path)) {
      secret.add(found.path)
      return true
    }
    lines.push(found)
    if (found.column !== undefined) matchesLeft--
    // Its context would follow, but waiting for it takes too long, because other files come in between.
    return matchesLeft > 0
  }

  const end = await run(toSearchArguments(job), {
    cwd: job.folder,
    separator: '\n',
    msMax: job.msMax,
    take,
    signal,
  })
  if (end.exitCode === exitCodes.failed && lines.length === 0) {
    const reason =
      /^error: (.+)$/m.exec(end.errors)?.[1] ??
      /^(?:rg: )?(the literal .+|compiled regex .+)$/im.exec(end.errors)?.[1]
    if (reason !== undefined) throw badPattern(reason.slice(0, 300).trim())
  }
  return {
    lines: lines.toSorted(compareLines),
    stoppedBy: end.stoppedBy,
    unreadable: countErrors(end.errors),
    secretFiles: secret.size,
  }
}

function compareLines(one: FoundLine, other: FoundLine): number {
  return one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1
}

function badPattern(reason: string): OstlerError {
  return new OstlerError(
    'search.bad_pattern',
    `The pattern is not a regular expression that can be used: ${reason}. To search for the text itself, set "literal".`,
  )
}

/** True for a file of which a search shows nothing. `path` is relative to the folder. */
function isLeftOut({ folder, includesSecrets, ownFiles }: SearchJob, path: string): boolean {
  const whole = join(folder, path)
  return !includesSecrets && (isSecretPath(whole) || ownFiles.includes(whole))
}

/** Finds files by their names, newest first. Throws `search.missing` if ripgrep is not installed. */
export async function findPaths(
  {
    folder,
    glob,
    filesMax,
    msMax,
  }: Pick<SearchJob, 'folder' | 'msMax'> & {
    readonly glob: string
    readonly filesMax: number
  },
  signal: AbortSignal,
) {
  const isWanted = compileGlob(glob)
  const paths: string[] = []
  let total = 0
  const take = (record: string) => {
    const path = toPath(record)
    if (!isWanted(path)) return true
    total++
    if (paths.length < filesMax) paths.push(path)
    return true
  }
  const args = [...sameEverywhere(folder), '--files', '--sortr=modified', ...toTypeArguments(glob), './']
  const { stoppedBy, errors } = await run(args, { cwd: folder, separator: '\0', msMax, take, signal })
  return { paths, total, stoppedBy, unreadable: countErrors(errors) }
}

function toSearchArguments({
  folder,
  pattern,
  isLiteral,
  ignoresCase,
  context,
  glob,
  file,
  matchesMax,
}: SearchJob): string[] {
  return [
    ...sameEverywhere(folder),
    ...searchFlags,
    `--max-count=${matchesMax}`,
    ignoresCase ? '--ignore-case' : '--case-sensitive',
    ...(isLiteral ? ['--fixed-strings'] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
    ...toTypeArguments(glob),
    `--regexp=${pattern}`,
    '--',
    file === undefined ? './' : `./${file}`,
  ]
}

const binaryRemark = /: (?:binary file matches|WARNING: stopped searching binary file)/

/** Narrows a search to the names that a pattern ends with. An override of ripgrep would also find ignored files; a type does not. */
function toTypeArguments(glob = ''): string[] {
  const name = glob.split('/').at(-1) ?? ''
  const isPlain = name !== '' && name !== '**' && !/[{}\\]/.test(glob)
  return isPlain ? [`--type-add=wanted:${name}`, '--type=wanted'] : []
}

/** `./path NUL line:column:text`, or `./path NUL line-text` for context. Undefined for a remark. */
function parseLine(record: string): FoundLine | undefined {
  const nul = record.indexOf('\0')
  const [head = '', line = '', mark] = /^(\d+)([:-])/.exec(record.slice(nul + 1, nul + 20)) ?? []
  if (nul === -1 || head === '') return undefined
  const rest = record.slice(nul + 1 + head.length).replace(/\r$/, '')
  const [columnHead = '', column] = (mark === ':' && /^(\d+):/.exec(rest)) || []
  return {
    path: toPath(record.slice(0, nul)),
    line: Number(line),
    column: column === undefined ? undefined : Number(column),
    text: rest.slice(columnHead.length, columnHead.length + lineCharsMax),
  }
}

function toPath(record: string): string {
  return record.replace(/^\.[/\\]/, '').replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
}

function countErrors(errors: string): number {
  return errors.split('\n').filter((line) => /\(os error \d+\)/.test(line)).length
}

const exitCodes = { failed: 2 } as const

interface RunOptions {
  readonly cwd: string
  readonly separator: string
  readonly msMax: number
  /** Takes one record of the output. Returns false if no further records are wanted. */
  readonly take: (record: string) => boolean
  readonly signal: AbortSignal
}

interface RunEnd {
  readonly exitCode: number | null
  readonly errors: string
  readonly stoppedBy: 'limit' | 'time' | undefined
}

let program: Promise<string> | undefined

/** Resolved at run time, because the built command does not contain the program. */
async function findProgram(): Promise<string> {
  try {
    const module = createRequire(import.meta.url).resolve('@vscode/ripgrep')
    return ((await import(pathToFileURL(module).href)) as { readonly rgPath: string }).rgPath
  } catch {
    throw new OstlerError(
      'search.missing',
      'ripgrep is not installed. Install Ostler again with its optional packages (@vscode/ripgrep), or search with a command.',
    )
  }
}

async function run(
  args: readonly string[],
  { cwd, separator, msMax, take, signal }: RunOptions,
): Promise<RunEnd> {
  program ??= findProgram()
  const child = spawn(await program, args, {
    cwd,
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let stoppedBy: RunEnd['stoppedBy']
  const stop = () => child.kill('SIGKILL')
  const timer = setTimeout(() => {
    stoppedBy = 'time'
    stop()
  }, msMax)
  using _aborting = onAbort(signal, stop)
  try {
    const errors = readErrors(child)
    const exited = new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    )
    exited.catch(() => undefined)
    let open = ''
    child.stdout.setEncoding('utf8')
    for await (const chunk of child.stdout as AsyncIterable<string>) {
      const records = (open + chunk).split(separator)
      open = records.pop() ?? ''
      if (stoppedBy === undefined && !records.every(take)) {
        stoppedBy = 'limit'
        stop()
      }
    }
    const exitCode = await exited
    signal.throwIfAborted()
    return { exitCode, errors: errors(), stoppedBy }
  } finally {
    clearTimeout(timer)
    stop()
  }
}

function readErrors(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < errorCharsMax) text += chunk
  })
  return () => text
}
