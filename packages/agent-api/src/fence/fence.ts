import type { FenceReport } from '../messages/fence-report.ts'

/** `required`: without a fence, nothing runs. `on`: it runs anyway, and Ostler says so. */
export const sandboxLevels = ['off', 'on', 'required'] as const
export type SandboxLevel = (typeof sandboxLevels)[number]

/** Ostler's own files that a fence protects, besides those at the usual places. */
export interface OwnPlaces {
  /** Files that define the agent. A fenced program may read them. */
  readonly ownFiles?: readonly string[] | undefined
  readonly stateDir?: string | undefined
}

export interface FencePlace extends OwnPlaces {
  /** The directories in which the program may write. */
  readonly writable: readonly string[]
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

/** A program that starts another one inside a fence. */
export interface FencedProgram extends Program {
  /** Call when it has ended, or did not start. Removes the placeholders that the fence had put into writable directories. */
  release(): void
}

export interface Fence {
  readonly report: FenceReport
  /** The program is found by its name inside, and starts in this directory. */
  enclose(program: Program, cwd: string): FencedProgram
}
