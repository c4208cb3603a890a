import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

/**
 * Resolves a path. Undefined if it is outside the session's directories. Follows symbolic links, so that a link inside cannot lead outside.
 */
export async function boundedPath(path: string, roots: readonly string[]): Promise<string | undefined> {
  const cwd = roots[0]
  if (cwd === undefined || path.includes('\0')) return undefined
  const absolute = resolve(cwd, path)
  if (!roots.some((root) => isInside(absolute, resolve(root)))) return undefined
  const real = await realPath(absolute)
  const realRoots = await Promise.all(roots.map((root) => realPath(resolve(root))))
  return realRoots.some((root) => isInside(real, root)) ? absolute : undefined
}

/** Resolves the existing part of a path and keeps the rest. */
async function realPath(path: string): Promise<string> {
  const parent = dirname(path)
  try {
    return await realpath(path)
  } catch {
    return parent === path ? path : resolve(await realPath(parent), relative(parent, path))
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
