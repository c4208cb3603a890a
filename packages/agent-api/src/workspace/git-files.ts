import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { namedBySettings } from '../base/git-settings.ts'
import { isInside } from '../base/is-inside.ts'
import type { Sensitivity } from '../base/sensitive-path.ts'

const levelsMax = 64

/**
 * Git's own files under any name. A folder that Git takes for a repository counts like `.git`: a bare repository, or the folder that a
 * `.git` file names. What the settings of the repository above run or include counts as a program. Reads, and runs nothing.
 */
export async function gitSensitivity(real: string): Promise<Sensitivity | undefined> {
  let work: string | undefined
  for (let at = real, level = 0; level < levelsMax; at = dirname(at), level++) {
    if (await isGitDirectory(at)) return 'secret'
    if (work === undefined && (await exists(join(at, '.git')))) work = at
    if (at === dirname(at)) break
  }
  if (work === undefined) return undefined
  const named = await namedBySettings(work)
  return named.some((path) => isInside(real, path)) ? 'program' : undefined
}

/** Decides as Git does. A linked working tree has the rest in its common directory. */
async function isGitDirectory(folder: string): Promise<boolean> {
  if (!(await exists(join(folder, 'HEAD')))) return false
  const [objects, refs, common] = await Promise.all(
    ['objects', 'refs', 'commondir'].map((name) => exists(join(folder, name))),
  )
  return common === true || (objects === true && refs === true)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
