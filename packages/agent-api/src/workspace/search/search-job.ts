import { join } from 'node:path'
import { OstlerError } from '../../base/errors.ts'
import { isSecretPath } from '../../policy/sensitive-path.ts'

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

export interface FindJob {
  readonly folder: string
  readonly glob: string
  readonly filesMax: number
  readonly msMax: number
}

export interface FindFound {
  /** Newest first. */
  readonly paths: readonly string[]
  readonly total: number
  readonly stoppedBy: 'time' | undefined
  readonly unreadable: number
}

/** Larger files are left out. */
export const fileBytesMax = 100 * 1024 * 1024
export const lineCharsMax = 400

export function compareLines(one: FoundLine, other: FoundLine): number {
  return one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1
}

export function badPattern(reason: string): OstlerError {
  return new OstlerError(
    'search.bad_pattern',
    `The pattern is not a regular expression that can be used: ${reason}. To search for the text itself, set "literal".`,
  )
}

/** True for a file of which a search shows nothing. `path` is relative to the folder. */
export function isLeftOut({ folder, includesSecrets, ownFiles }: SearchJob, path: string): boolean {
  const whole = join(folder, path)
  return !includesSecrets && (isSecretPath(whole) || ownFiles.includes(whole))
}
