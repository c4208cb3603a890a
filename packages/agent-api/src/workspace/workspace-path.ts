import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OstlerError } from '../base/errors.ts'
import { findHome } from '../base/find-home.ts'
import type { CallEffect, CallPlan } from '../messages/tool.ts'
import { sensitivityOf, type Sensitivity } from '../base/sensitive-path.ts'
import { isInside } from '../base/is-inside.ts'
import { counted } from '../base/quantities.ts'
import { gitSensitivity } from './git-files.ts'
import { hardLinksOf } from './hard-links.ts'

/** A path that a call names, resolved through links. The file need not exist. */
export interface WorkspacePath {
  /** The real path, expressed below the session's directory that contains it: the path by which an editor knows the file. */
  readonly path: string
  readonly real: string
  /** For a title or message: relative to the working directory if the file is below it. */
  readonly shown: string
  readonly isOutside: boolean
  /** Set for a file that needs approval in every mode. */
  readonly sensitivity: Sensitivity | undefined
  /** Hard links to the file, besides this one. */
  readonly otherNames: number
}

/** The places in which a session works. */
export interface WorkspaceBounds {
  /** Its directories. Relative paths start at the first, the working directory. */
  readonly roots: readonly string[]
  /** Files that define its agent, such as the agent file. They need approval like files with secrets. */
  readonly ownFiles: readonly string[]
}

const linksMax = 40

/** Throws `workspace.bad_path`. */
export async function resolvePath(
  path: string,
  { roots, ownFiles }: WorkspaceBounds,
): Promise<WorkspacePath> {
  const cwd = roots[0]
  if (cwd === undefined) throw badPath(path, 'the session has no directory')
  if (path.includes('\0')) throw badPath(path, 'it contains a NUL character')
  const named = resolve(cwd, fromShorthand(path))
  const real = await realPath(named, linksMax)
  const realRoots = await Promise.all(
    roots.map(async (root) => ({ root: resolve(root), real: await realPath(resolve(root), linksMax) })),
  )
  const home = realRoots.find((each) => isInside(real, each.real))
  const known = home === undefined ? real : resolve(home.root, relative(home.real, real))
  const links = await hardLinksOf(
    real,
    realRoots.map((each) => each.real),
  )
  const byName = strictest(sensitivityOf(real), sensitivityOf(named))
  const isSecret = links.holdSecret || (await realFiles(ownFiles)).includes(real)
  return {
    path: known,
    real,
    shown: shownPath(known, cwd),
    isOutside: home === undefined,
    sensitivity: isSecret ? 'secret' : strictest(byName, await gitSensitivity(real)),
    otherNames: links.others,
  }
}

/** The path as written, without accessing the disk. Throws `workspace.bad_path`. */
export function toNamedPath(path: string, { roots }: Pick<WorkspaceBounds, 'roots'>): WorkspacePath {
  const cwd = roots[0]
  if (cwd === undefined) throw badPath(path, 'the session has no directory')
  const named = resolve(cwd, fromShorthand(path))
  const isOutside = !roots.some((root) => isInside(named, resolve(root)))
  return {
    path: named,
    real: named,
    shown: shownPath(named, cwd),
    isOutside,
    sensitivity: sensitivityOf(named),
    otherNames: 0,
  }
}

/** Resolved each time, because files and links may have been created since. */
export function realFiles(files: readonly string[]): Promise<readonly string[]> {
  return Promise.all(files.map((file) => realPath(resolve(file), linksMax).catch(() => resolve(file))))
}

function strictest(one: Sensitivity | undefined, other: Sensitivity | undefined): Sensitivity | undefined {
  return one === 'secret' || other === 'secret' ? 'secret' : (one ?? other)
}

/** Models also write `~/notes.md` and `file:///notes.md`. */
function fromShorthand(path: string): string {
  if (path === '~' || path.startsWith('~/')) {
    const home = findHome({})
    if (home === undefined) throw badPath(path, 'the home directory is not known')
    return join(home, path.slice(1))
  }
  if (!path.startsWith('file://')) return path
  try {
    return fileURLToPath(path)
  } catch {
    throw badPath(path, 'it is not the URL of a file on this machine')
  }
}

/** A file with other names counts as outside, because a change to it also changes those. */
export function isOutside(path: WorkspacePath, effect: CallEffect): boolean {
  return path.isOutside || (effect === 'write' && path.otherNames > 0)
}

function withLinks({ real, otherNames }: WorkspacePath, effect: CallEffect): string {
  return effect === 'write' && otherNames > 0
    ? `${real} (this file has ${counted(otherNames, 'other name')}, which may be outside)`
    : real
}

export function reachOf(
  paths: readonly WorkspacePath[],
  effect: CallEffect,
): Pick<CallPlan, 'outside' | 'sensitive'> {
  const outside = paths.flatMap((path) => (isOutside(path, effect) ? [withLinks(path, effect)] : []))
  const sensitive = paths
    .filter(
      ({ sensitivity }) => sensitivity === 'secret' || (sensitivity === 'program' && effect === 'write'),
    )
    .map(({ real }) => real)
  return { ...(outside.length > 0 && { outside }), ...(sensitive.length > 0 && { sensitive }) }
}

/** Resolves the existing part of a path and keeps the rest. A link to a file that does not exist yet leads to that file. */
async function realPath(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP' || linksLeft === 0) throw badPath(path, 'its symbolic links form a loop')
    if (code === 'EACCES')
      throw badPath(path, 'a directory on the way to it cannot be read: permission denied')
    if (code === 'ENAMETOOLONG') throw badPath(path, 'it is too long')
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw badPath(path, code ?? 'it cannot be resolved')
  }
  const parent = dirname(path)
  if (parent === path) return path
  const realParent = await realPath(parent, linksLeft)
  const target = await readlink(path).catch(() => undefined)
  return target === undefined
    ? resolve(realParent, basename(path))
    : realPath(resolve(realParent, target), linksLeft - 1)
}

function shownPath(path: string, cwd: string): string {
  const way = relative(resolve(cwd), path)
  return way === '' ? '.' : isInside(path, resolve(cwd)) ? way : path
}

function badPath(path: string, reason: string): OstlerError {
  return new OstlerError('workspace.bad_path', `The path ${JSON.stringify(path)} cannot be used: ${reason}.`)
}
