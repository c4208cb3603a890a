import { byDepth, withheldVariables, type FenceProfile } from './fence-profile.ts'

/** A private temporary directory is in memory, so it needs a bound. */
const temporaryBytesMax = 1024 ** 3

/**
 * Arguments of `bwrap` for a profile, without the program. A later mount covers an earlier one, so each path comes after those that
 * contain it.
 */
export function toBubblewrapArguments(profile: FenceProfile, cwd: string): string[] {
  return [
    ...isolation,
    ...toMounts(profile),
    ...withheldVariables.flatMap((name) => ['--unsetenv', name]),
    ...['TMPDIR', 'TMP', 'TEMP'].flatMap((name) => ['--setenv', name, '/tmp']),
    '--chdir',
    cwd,
    '--',
  ]
}

/**
 * Nothing of the program outlives Ostler or its own first process. It keeps no rights of root, and cannot get them back in namespaces of its own.
 * A new session has no terminal into which it could type.
 */
export const isolation: readonly string[] = [
  '--die-with-parent',
  '--new-session',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-net',
  '--unshare-cgroup-try',
  '--disable-userns',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
  '--proc',
  '/proc',
  // Root may change the settings of the kernel, even without its capabilities.
  '--remount-ro',
  '/proc',
  '--dev',
  '/dev',
  ...inMemory('/dev/shm', '1777', temporaryBytesMax),
  '--remount-ro',
  '/dev',
]

interface Mount {
  readonly path: string
  readonly args: readonly string[]
}

function toMounts({ writable, readOnly, absent, temporary, hidden, visible }: FenceProfile): string[] {
  const mounts: readonly Mount[] = [
    ...temporary.map((path) => ({ path, args: inMemory(path, '1777', temporaryBytesMax) })),
    ...visible.map((path) => ({ path, args: ['--ro-bind-try', path, path] })),
    ...writable.map((path) => ({ path, args: ['--bind', path, path] })),
    ...readOnly.map((path) => ({ path, args: ['--ro-bind-try', path, path] })),
    ...[...absent, ...hidden].map(({ path, isDirectory }) => ({
      path,
      // Read-only by its permissions, because each remount takes as long as a mount.
      args: isDirectory ? inMemory(path, '0555', 4_096) : ['--ro-bind', '/dev/null', path],
    })),
  ]
  return mounts.toSorted(byDepth).flatMap(({ args }) => args)
}

function inMemory(path: string, permissions: string, bytesMax: number): string[] {
  return ['--size', String(bytesMax), '--perms', permissions, '--tmpfs', path]
}
