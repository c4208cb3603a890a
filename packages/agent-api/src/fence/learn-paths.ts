import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { isInside } from '../base/is-inside.ts'
import { sensitivityOf } from '../base/sensitive-path.ts'
import type { FencePlace } from './fence.ts'
import { byDepth } from './fence-profile.ts'
import { existing } from './find-protected.ts'
import { findRealHome, loadFenceProfile, secretPlaces, sharedFolders } from './load-fence-profile.ts'
import { refusedDirectory } from './refused-path.ts'

const pathsMax = 20

/**
 * Finds directories in which a program in this fence wanted to write, by its output. They need not exist. Places in which others keep
 * secrets, settings or programs are left out.
 */
export async function learnPaths(lines: readonly string[], place: FencePlace): Promise<readonly string[]> {
  const { hidden, writable } = await loadFenceProfile(place)
  const home = (await findRealHome()) ?? '/'
  const found = await Promise.all(lines.flatMap((line) => refusedDirectory(line) ?? []).map(realDirectory))

  function isOffered(path: string): boolean {
    const over = hidden.filter((one) => isInside(path, one.path)).toSorted(byDepth)
    // The home directory is the only hidden place that also holds files that are not secret.
    const isHidden = over.length > 0 && over.at(-1)?.path !== home
    const isShared = sharedFolders.some((folder) => isInside(join(home, folder), path))
    const isOpen = writable.some((root) => isInside(path, root))
    return !isHidden && !isShared && !isOpen && !isGuarded(path, home)
  }
  return [...new Set(found)].filter(isOffered).slice(0, pathsMax)
}

async function realDirectory(path: string): Promise<string> {
  const [real] = await existing([path])
  if (real === undefined) return join(await realDirectory(dirname(path)), basename(path))
  return (await stat(real)).isDirectory() ? real : dirname(real)
}

/** It need not exist. */
function isGuarded(path: string, home: string): boolean {
  const isSensitive = [path, join(path, 'any')].some((one) => sensitivityOf(one) !== undefined)
  const isGuardedAbove = dirname(path) !== path && isGuarded(dirname(path), home)
  return isSensitive || isGuardedAbove || secretPlaces.has(relative(home, path))
}
