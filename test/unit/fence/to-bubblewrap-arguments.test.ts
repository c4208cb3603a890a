import { expect, test } from 'vitest'
import type { FenceProfile } from '../../../packages/agent-api/src/fence/fence-profile.ts'
import {
  isolation,
  toBubblewrapArguments,
} from '../../../packages/agent-api/src/fence/to-bubblewrap-arguments.ts'

const empty: FenceProfile = { writable: [], readOnly: [], absent: [], temporary: [], hidden: [], visible: [] }

/** The mounts, in their order: `--bind /a /a` becomes `--bind /a`. */
function mountsOf(profile: Partial<FenceProfile>): string[] {
  const args = toBubblewrapArguments({ ...empty, ...profile }, '/shop').slice(isolation.length)
  return args.flatMap((arg, at) => {
    const isEmptyFile = arg === '--ro-bind' && args[at + 1] === '/dev/null'
    if (isEmptyFile) return [`empty ${args[at + 2]}`]
    return ['--tmpfs', '--bind', '--ro-bind', '--ro-bind-try'].includes(arg) ? [`${arg} ${args[at + 1]}`] : []
  })
}

test.each<[what: string, profile: Partial<FenceProfile>, mounts: readonly string[]]>([
  ['nothing can be written', {}, []],
  [
    'a writable directory in a hidden one',
    { writable: ['/home/a/shop'], hidden: [{ path: '/home', isDirectory: true }] },
    ['--tmpfs /home', '--bind /home/a/shop'],
  ],
  [
    'what is protected in a writable directory',
    { writable: ['/shop'], readOnly: ['/shop/.git', '/shop/ostler.yaml'] },
    ['--bind /shop', '--ro-bind-try /shop/.git', '--ro-bind-try /shop/ostler.yaml'],
  ],
  [
    'what does not exist yet',
    {
      writable: ['/shop'],
      absent: [
        { path: '/shop/.vscode', isDirectory: true },
        { path: '/shop/.mcp.json', isDirectory: false },
      ],
    },
    ['--bind /shop', '--tmpfs /shop/.vscode', 'empty /shop/.mcp.json'],
  ],
  [
    'a secret in a visible part of a hidden home directory',
    {
      hidden: [
        { path: '/home/a/.config/gh', isDirectory: true },
        { path: '/home/a', isDirectory: true },
      ],
      visible: ['/home/a/.config'],
    },
    ['--tmpfs /home/a', '--ro-bind-try /home/a/.config', '--tmpfs /home/a/.config/gh'],
  ],
  [
    'a path that is both writable and hidden is hidden',
    { writable: ['/a'], hidden: [{ path: '/a', isDirectory: true }] },
    ['--bind /a', '--tmpfs /a'],
  ],
  ['a private temporary directory stays writable', { temporary: ['/tmp'] }, ['--tmpfs /tmp']],
])('%s', (_, profile, mounts) => {
  expect(mountsOf(profile)).toEqual(mounts)
})

test('every fence isolates processes and the network, and keeps no rights', () => {
  const args = toBubblewrapArguments(empty, '/shop')
  for (const option of [
    '--die-with-parent',
    '--new-session',
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
    '--disable-userns',
  ])
    expect(args).toContain(option)
  const line = args.join(' ')
  expect(line).toContain('--cap-drop ALL')
  expect(line).toContain('--ro-bind / / --proc /proc --remount-ro /proc --dev /dev --size')
  expect(line).toContain('--tmpfs /dev/shm --remount-ro /dev')
  expect(line).toContain('--unsetenv SSH_AUTH_SOCK')
  expect(args.slice(-3)).toEqual(['--chdir', '/shop', '--'])
})

test('everything in memory is bounded', () => {
  const args = toBubblewrapArguments({ ...empty, temporary: ['/tmp', '/var/tmp'] }, '/')
  const mounts = args.flatMap((arg, at) => (arg === '--tmpfs' ? [args.slice(at - 4, at + 2)] : []))
  expect(mounts.map(([size]) => size)).toEqual(['--size', '--size', '--size'])
})
