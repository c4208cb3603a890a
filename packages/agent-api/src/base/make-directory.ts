import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A directory and those above it, each made for this user alone, whatever the process's mask says. Not `recursive`: where nothing can be
 * created (under /proc, say) Node's own way of doing that never ends.
 */
export function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory)
    chmodSync(directory, 0o700)
  } catch (error) {
    // Another process that starts now was quicker.
    if (!existsSync(directory)) throw error
  }
}
