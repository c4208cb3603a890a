import { execFile } from 'node:child_process'
import { delimiter, isAbsolute, sep } from 'node:path'
import { childEnvironment } from '../processes/child-environment.ts'
import { resolveCommand } from '../processes/resolve-command.ts'
import { isolation } from './to-bubblewrap-arguments.ts'

/** The program that makes fences on this machine, or the reason why nothing can. */
export type FenceMaker =
  | {
      readonly by: 'bubblewrap' | 'sandbox-exec'
      readonly program: string
      /** Needed to reach hosts from inside. */
      readonly perl?: string | undefined
      /** The start of a command line that bounds processes, where the kernel counts them for a fence and Ostler does not run as root. */
      readonly limits?: readonly string[]
    }
  | { readonly by: 'nothing'; readonly why: string }

const answerMsMax = 20_000
/** More than a build on a large machine needs. */
const processesMax = 4_096
let probed: Promise<FenceMaker> | undefined

/** Runs a program in a fence, once per process: a system can have bubblewrap and forbid what it needs. */
export function probeFence(): Promise<FenceMaker> {
  return (probed ??= probe())
}

async function probe(): Promise<FenceMaker> {
  if (process.platform === 'darwin') return probeSeatbelt()
  if (process.platform !== 'linux') return { by: 'nothing', why: 'only Linux and macOS have one' }
  const program = resolveCommand('bwrap', '/', trustedPath())
  if (!isAbsolute(program))
    return { by: 'nothing', why: 'bubblewrap is not installed. Install the package "bubblewrap"' }
  const [perl, prlimit] = ['perl', 'prlimit'].map((name) => {
    const found = resolveCommand(name, '/', trustedPath())
    return isAbsolute(found) ? found : undefined
  })
  const bounds = prlimit === undefined ? [] : [prlimit, `--nproc=${processesMax}`, '--core=0']
  const tryWith = (limits: readonly string[]) =>
    run(program, [...isolation, '--', ...limits, '/bin/sh', '-c', ':'])
  if ((await tryWith(bounds)) === undefined) return { by: 'bubblewrap', program, perl, limits: bounds }
  // A lower limit of the system holds already, and cannot be raised.
  const problem = await tryWith([])
  return problem === undefined
    ? { by: 'bubblewrap', program, perl }
    : { by: 'nothing', why: explainBubblewrap(problem) }
}

async function probeSeatbelt(): Promise<FenceMaker> {
  const program = '/usr/bin/sandbox-exec'
  const problem = await run(program, ['-p', '(version 1)(allow default)(deny network*)', '/usr/bin/true'])
  return problem === undefined
    ? { by: 'sandbox-exec', program }
    : { by: 'nothing', why: `sandbox-exec does not work: ${problem}` }
}

/** Package runners put the programs of a project first. */
function trustedPath(): string {
  const folders = (childEnvironment({})['PATH'] ?? '').split(delimiter)
  return folders
    .filter((path) => isAbsolute(path) && !path.split(sep).includes('node_modules'))
    .join(delimiter)
}

/** The last line that the program wrote about its failure. Undefined if it worked. */
function run(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: answerMsMax, env: {}, cwd: '/' }, (error, _, stderr) =>
      resolve(error === null ? undefined : stderr.trim().split('\n').at(-1) || error.message),
    )
  })
}

/** Says what to install or to allow. */
export function explainBubblewrap(problem: string): string {
  const [, remedy = 'run Ostler outside a container, or see docs/security.md'] =
    remedies.find(([pattern]) => pattern.test(problem)) ?? []
  return `bubblewrap does not work here (${problem}): ${remedy}`
}

const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/unknown option/i, 'it is too old. Install version 0.8 or newer'],
  [
    /uid map|RTM_NEWADDR/i,
    'the system restricts user namespaces, as Ubuntu does with AppArmor. Install an AppArmor profile for bwrap, or set kernel.apparmor_restrict_unprivileged_userns to 0',
  ],
  [
    /no permissions|creating new namespace|operation not permitted.*namespace/i,
    'user namespaces are forbidden. Allow them: set kernel.unprivileged_userns_clone to 1, or start the container with a seccomp profile that allows them',
  ],
  [
    /make \/ slave|mount proc|pivot_root/i,
    'the container forbids mounts. Start it without its AppArmor profile, and with an unmasked /proc',
  ],
]
