import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a disk of this size (`1m`) on a folder, for tests with a full or read-only disk. */
export function mountDisk(folder: string, size: string): void {
  run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
}

/** Options such as `ro` or another `size=`. */
export function remountDisk(folder: string, options: string): void {
  run('mount', ['-o', `remount,${options}`, folder])
}

export function unmountDisk(folder: string): void {
  run('umount', [folder])
}

/** Only root can mount, and not in every container. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount()

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'ostler-disk-'))
  try {
    mountDisk(folder, '1m')
    unmountDisk(folder)
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'ignore' })
}
