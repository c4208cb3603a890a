import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const place = '/dev/shm'
const bytesMin = 4 * 1024 ** 3

/** A folder in memory, removed with this process, or undefined where it could not hold programs and large files. */
export function createMemoryFolder(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === place)
    const { bavail, bsize } = statfsSync(place)
    if (mount === undefined || /\bnoexec\b/.test(mount) || bavail * bsize < bytesMin) return undefined
    const folder = mkdtempSync(join(place, 'ostler-'))
    // Some tests become another user, who must reach the folders below.
    chmodSync(folder, 0o755)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return undefined
  }
}
