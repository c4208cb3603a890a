import { isAbsolute, relative, sep } from 'node:path'

/** True for a folder itself, and for everything in it. Both are absolute paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
