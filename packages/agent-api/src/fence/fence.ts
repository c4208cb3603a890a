import type { FenceReport } from '../messages/fence-report.ts'

/** `required`: without a fence, nothing runs. `on`: it runs anyway, and Ostler says so. */
export const sandboxLevels = ['off', 'on', 'required'] as const
export type SandboxLevel = (typeof sandboxLevels)[number]

/** A level, or a level with what may leave the fence. */
export type Sandbox = SandboxLevel | SandboxSettings

export interface SandboxSettings {
  readonly level: SandboxLevel
  /** The hosts that can be reached, each a `hostPattern`. */
  readonly hosts?: readonly string[] | undefined
  /** Directories outside of the session's in which the program may write. */
  readonly paths?: readonly string[] | undefined
}

export function toSandbox(setting: Sandbox): SandboxSettings {
  return typeof setting === 'string' ? { level: setting } : setting
}

export function isSandboxed(setting: Sandbox | undefined): setting is Sandbox {
  return setting !== undefined && toSandbox(setting).level !== 'off'
}

/**
 * `api.example.com`, `*.example.com` for its subdomains, or `*` for every public host; with `:PORT` for a port that is not of the web.
 */
export const hostPattern = /^(\*\.)?(\*|[\p{L}\d_.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu

/** Asks a person about a host that no setting names. A failure to ask is a no. */
export type AskHost = (host: string, signal: AbortSignal) => Promise<boolean>

/** Ostler's own files that a fence protects, besides those at the usual places. */
export interface OwnPlaces {
  /** Files that define the agent. A fenced program may read them. */
  readonly ownFiles?: readonly string[] | undefined
  readonly stateDir?: string | undefined
}

export interface FencePlace extends OwnPlaces {
  /** The directories in which the program may write. */
  readonly writable: readonly string[]
  /** Undefined if nobody can be asked. */
  readonly askHost?: AskHost | undefined
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

/** A program that starts another one inside a fence. */
export interface FencedProgram extends Program {
  readonly env: Readonly<Record<string, string>>
  /** Call when it has ended, or did not start. Removes the placeholders that the fence had put into writable directories. */
  release(): void
}

export interface Fence {
  readonly report: FenceReport
  /** The program is found by its name inside, and starts in this directory. */
  enclose(program: Program, cwd: string, env: Readonly<Record<string, string>>): FencedProgram
}
