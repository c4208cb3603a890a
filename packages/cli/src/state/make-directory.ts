import fs from 'node:fs'
import path from 'node:path'

/**
 * A directory and those above it, for this user alone. Not `recursive`: where nothing can be created (under /proc, say) Node's own way of
 * doing that never ends. For the launcher too, so in syntax and with functions that an old Node has.
 */
export function makeDirectory(directory: string): void {
  if (fs.existsSync(directory)) return
  makeDirectory(path.dirname(directory))
  fs.mkdirSync(directory, { mode: 0o700 })
}
