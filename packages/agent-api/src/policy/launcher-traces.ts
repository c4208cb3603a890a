import { isAbsolute } from 'node:path'
import type { StdioServerConfig } from '../mcp/server-config.ts'

/** A file of a folder that would decide what a launcher runs there. */
export interface LauncherTrace {
  readonly path: string
  /** The launcher also looks in the folders above. */
  readonly isAbove?: true
  /** A folder of this name does not count. */
  readonly isFile?: true
  /** The file counts only if its text has this. */
  readonly mention?: RegExp
}

type Command = Pick<StdioServerConfig, 'command' | 'args'>
type Words = readonly string[]

/**
 * The files that would decide what a command runs, if the folder had them. Empty for a command that starts
 * the same program in every folder. A launcher counts anywhere in the line, because others can start it: `cmd
 * /c npx`, `sh -c 'npx …'`.
 */
export function launcherTraces({ command, args }: Command): readonly LauncherTrace[] {
  // A program on another machine does not see this folder.
  if (otherMachine.test(programOf(command))) return []
  const whole = [command, ...args]
  // A shell gets its line as one argument.
  const lines = whole
    .filter((word) => /\s/.test(word))
    .map((line) => line.split(/[\s;&|()'"`]+/).filter((word) => word !== ''))
  return [
    ...(/[/\\]/.test(command) && !isAbsolute(command) ? [{ path: command, isFile: true as const }] : []),
    ...[whole, ...lines].flatMap((words) =>
      words.flatMap((word, index) =>
        isLauncher(programOf(word)) ? tracesOf(programOf(word), words.slice(index + 1)) : [],
      ),
    ),
  ]
}

/** True if Python would look for modules in the folder. */
export function importsFromFolder({ command, args }: Command): boolean {
  return python.test(programOf(command)) && args.some((word) => /^-[A-Za-z]*[mc]/.test(word))
}

/**
 * The place of the options of `npx` among the arguments. Undefined for other commands, and if they name a
 * folder.
 */
export function npxOptionsAt({ command, args }: Command): number | undefined {
  const at = [command, ...args].findIndex((word) => programOf(word) === 'npx')
  return at === -1 ||
    !startsNpx.test(programOf(command)) ||
    args.slice(at).some((word) => /^(?:--prefix|-C)/.test(word))
    ? undefined
    : at
}

const otherMachine = /^(?:docker|podman|nerdctl|kubectl|ssh|wsl)$/
const startsNpx = /^(?:npx|cmd|env)$/
const python = /^(?:py|python|pypy)[\d.]*w?$/
const interpreter = /^(?:node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|(?:ba|da|z|k|fi)?sh|pwsh|powershell)$/

const npm = ['.npmrc']
const pnpm = [...npm, '.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpm-workspace.yaml']
const bun = [...npm, 'bunfig.toml', '.env']

/** The files that each package runner reads in the folder, and in those above. */
const settings: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    npx: npm,
    npm,
    pnpx: pnpm,
    pnpm,
    yarn: [...npm, '.yarnrc', '.yarnrc.yml', '.pnp.cjs'],
    bunx: bun,
    bun,
    deno: [...npm, 'deno.json', 'deno.jsonc', 'package.json'],
    tsx: ['tsconfig.json'],
    'ts-node': ['tsconfig.json'],
    uvx: ['uv.toml'],
    uv: ['uv.toml'],
    pipx: ['__pypackages__'],
    poetry: ['pyproject.toml'],
    pdm: ['pyproject.toml'],
    hatch: ['pyproject.toml'],
    rye: ['pyproject.toml'],
    pipenv: ['Pipfile', '.env'],
    bundle: ['Gemfile', '.bundle'],
    cargo: ['Cargo.toml', '.cargo'],
    mise: ['mise.toml', '.mise.toml', '.tool-versions'],
  }),
)

const packageRunners: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpx', 'pnpm', 'yarn', 'bunx', 'bun'])
const verbs: ReadonlySet<string> = new Set(['exec', 'x', 'dlx', 'run', 'run-script', 'tool'])
/** After another option, the next word may be its value. */
const flags: ReadonlySet<string> = new Set([
  '-y',
  '--yes',
  '-q',
  '--quiet',
  '-s',
  '--silent',
  '--verbose',
  '--offline',
  '--prefer-offline',
])

function isLauncher(program: string): boolean {
  return settings.has(program) || interpreter.test(program) || python.test(program)
}

function tracesOf(program: string, words: Words): readonly LauncherTrace[] {
  if (settings.has(program) && worksElsewhere(words)) return []
  const read = (settings.get(program) ?? []).map((path) => ({ path, isAbove: true as const }))
  const packages = packageRunners.has(program) ? candidates(words).flatMap(packageTraces) : []
  const files =
    interpreter.test(program) || python.test(program) ? candidates(words).flatMap(scriptTraces) : []
  const modules = python.test(program) ? moduleTraces(words) : []
  const project = program === 'uv' || program === 'uvx' ? projectTraces(words) : []
  return [...packages, ...files, ...modules, ...project, ...read]
}

/** True if a package runner is told to work in another folder. An unclear option does not count, because it may hide the name of the package. */
function worksElsewhere(words: Words): boolean {
  for (const [index, word] of words.entries()) {
    if (verbs.has(word) || flags.has(word)) continue
    const option = /^(?:--(?:prefix|dir|directory|project|cwd)|-C)(?:=(.*))?$/.exec(word)
    return option !== null && isAbsolute(option[1] ?? words[index + 1] ?? '')
  }
  return false
}

/**
 * The words that may name what is started: the first one that is not an option, and the values of options
 * before it.
 */
function candidates(words: Words): readonly string[] {
  const found: string[] = []
  let mayBeValue = false
  for (const word of words) {
    if (word.startsWith('-')) {
      const [, value] = /^-[^=]*=(.+)$/.exec(word) ?? []
      if (value !== undefined) found.push(value)
      mayBeValue = value === undefined && !flags.has(word)
    } else if (found.length > 0 || !verbs.has(word)) {
      found.push(word)
      if (!mayBeValue) break
      mayBeValue = false
    }
  }
  return found
}

/** `@scope/name@1.2.3` is named by the folder's settings, or installed there. */
function packageTraces(word: string): readonly LauncherTrace[] {
  const [, full = '', name = ''] = /^((?:@[\w.~-]+\/)?([\w~-][\w.~-]*))(?:@.*)?$/.exec(word) ?? []
  if (full === '') return scriptTraces(word)
  return [
    { path: `node_modules/.bin/${name}`, isAbove: true },
    { path: `node_modules/${full}`, isAbove: true },
    ...[...new Set([full, name])].map((each) => ({
      path: 'package.json',
      isAbove: true as const,
      mention: mentionOf(each),
    })),
  ]
}

/** A text in quotes. An escape could stand for any part of it. */
function mentionOf(text: string): RegExp {
  return new RegExp(`"${text.replaceAll('.', '\\.')}"|\\\\u`, 'i')
}

/** An absolute path is the same in every folder. */
function scriptTraces(word: string): readonly LauncherTrace[] {
  if (isAbsolute(word) || /^[\w+.-]+:/.test(word)) return []
  const ends = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js', '/package.json', '/__main__.py']
  return ends.map((end) => ({ path: `${word}${end}`, isFile: true }))
}

/** `-m a.b` begins with the module `a`. */
function moduleTraces(words: Words): readonly LauncherTrace[] {
  const at = words.findIndex((word) => /^-[A-Za-z]*m/.test(word))
  const [, glued = ''] = /^-[A-Za-z]*?m(.*)$/.exec(words[at] ?? '') ?? []
  const [module = ''] = (glued === '' ? (words[at + 1] ?? '') : glued).split('.')
  return at === -1 || module === ''
    ? []
    : [`${module}/__main__.py`, `${module}.py`, module].map((path) => ({ path }))
}

/** `uv run` uses the project of the folder; `uvx` only its settings. */
function projectTraces(words: Words): readonly LauncherTrace[] {
  const path = { path: 'pyproject.toml', isAbove: true } as const
  return words.includes('run') && !words.includes('tool')
    ? [path, { path: '.venv', isAbove: true }]
    : [{ ...path, mention: /\buv\b|\\u/i }]
}

function programOf(word: string): string {
  const name = word.split(/[/\\]/).at(-1) ?? ''
  return name.toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, '')
}
