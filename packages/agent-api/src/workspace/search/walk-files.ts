import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isIgnored, levelsAbove, readLevel, type IgnoreLevel } from './ignore-levels.ts'

export interface WalkEnd {
  /** Folders that could not be read. */
  unreadable: number
}

/**
 * The paths of all files below a folder, relative to it and with slashes, except ignored ones. Symbolic links are not followed. Reads the
 * disk synchronously, so it must run in its own thread.
 */
export function* walkFiles(root: string, end: WalkEnd): Generator<string> {
  const open: { readonly folder: string; readonly level: IgnoreLevel }[] = [{ folder: root, level: levelsAbove(root) }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, level } = next
    let entries
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch {
      end.unreadable++
      continue
    }
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if (entry.name === '.git' || !(isFolder || entry.isFile()) || isIgnored(level, path, isFolder)) continue
      if (isFolder) open.push({ folder: path, level: readLevel(path, level) })
      else yield relative(root, path).split(sep).join('/')
    }
  }
}
