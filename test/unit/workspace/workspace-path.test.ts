import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { isSensitivePath } from '../../../packages/agent-api/src/base/sensitive-path.ts'
import { reachOf, resolvePath } from '../../../packages/agent-api/src/workspace/workspace-path.ts'
import { openTempDir } from '../../support/temp-dir.ts'

describe('resolvePath', () => {
  it('follows links, and tells what is inside the directories', async () => {
    await using dir = await openTempDir()
    const base = await realpath(dir.path)
    const [root, other, outside] = ['root', 'other', 'outside'].map((name) => join(base, name)) as [string, string, string]
    for (const path of [root, other, outside, join(root, 'sub'), join(root, '..dots')]) await mkdir(path)
    await writeFile(join(outside, 'secret'), '')
    await symlink(outside, join(root, 'out'))
    await symlink(join(outside, 'secret'), join(root, 'file'))
    await symlink(join(outside, 'not-yet'), join(root, 'dangling'))
    await symlink('dangling', join(root, 'chain'))
    await symlink(join(root, 'sub'), join(root, 'in'))
    await symlink(other, join(root, 'to-other'))
    await symlink(root, join(base, 'alias'))
    const roots = [root, other]

    const inside: [string, string][] = [
      ['.', root],
      ['', root],
      ['sub/new/deeper.txt', join(root, 'sub/new/deeper.txt')],
      ['sub/../x', join(root, 'x')],
      ['in/x', join(root, 'sub/x')],
      ['to-other/x', join(other, 'x')],
      ['..dots/x', join(root, '..dots/x')],
      [join(other, 'x'), join(other, 'x')],
    ]
    for (const [path, expected] of inside)
      expect(await resolvePath(path, roots)).toMatchObject({ path: expected, real: expected, isOutside: false })
    for (const [path, expected] of [
      ['..', base],
      ['../outside/secret', join(outside, 'secret')],
      ['out', outside],
      ['out/new', join(outside, 'new')],
      ['file', join(outside, 'secret')],
      ['dangling', join(outside, 'not-yet')],
      ['chain', join(outside, 'not-yet')],
      [`${root}x`, `${root}x`],
      ['/', '/'],
    ] as const)
      expect(await resolvePath(path, roots)).toMatchObject({ path: expected, real: expected, shown: expected, isOutside: true })
    // A root that is reached through a link keeps the name under which the editor knows it.
    expect(await resolvePath('sub/x', [join(base, 'alias')])).toEqual({
      path: join(base, 'alias', 'sub/x'),
      real: join(root, 'sub/x'),
      shown: 'sub/x',
      isOutside: false,
      isSensitive: false,
    })
    expect(await resolvePath('any/where', ['/'])).toMatchObject({ path: '/any/where', isOutside: false })
  })

  it('rejects what is no path, with the reason', async () => {
    await using dir = await openTempDir()
    await symlink('loop', join(dir.path, 'loop'))
    await symlink('b', join(dir.path, 'a'))
    await symlink('a/x', join(dir.path, 'b'))
    const roots = [dir.path]
    await expect(resolvePath('a\0b', roots)).rejects.toThrow('NUL')
    await expect(resolvePath('loop', roots)).rejects.toThrow('loop')
    await expect(resolvePath('loop/x', roots)).rejects.toThrow('loop')
    await expect(resolvePath('a', roots)).rejects.toThrow('loop')
    await expect(resolvePath('x'.repeat(256), roots)).rejects.toThrow('too long')
    await expect(resolvePath('x', [])).rejects.toThrow('no directory')
  })

  it('understands the home directory and URLs of files', async () => {
    await using dir = await openTempDir()
    const home = await realpath(homedir())
    expect(await resolvePath('~', [dir.path])).toMatchObject({ real: home, isOutside: true })
    expect(await resolvePath('~/x/y', [dir.path])).toMatchObject({ real: join(home, 'x/y'), isOutside: true })
    expect(await resolvePath('~x', [dir.path])).toMatchObject({ shown: '~x', isOutside: false })
    expect(await resolvePath(pathToFileURL(join(dir.path, 'a b')).href, [dir.path])).toMatchObject({ shown: 'a b', isOutside: false })
    await expect(resolvePath('file://elsewhere/x', [dir.path])).rejects.toThrow('not the URL of a file on this machine')
    await expect(resolvePath('file:///a%00b', [dir.path])).rejects.toThrow('cannot be used')
  })

  it('gives a plan the real paths that need a question', async () => {
    await using dir = await openTempDir()
    const roots = [dir.path]
    const env = await resolvePath('.env', roots)
    const hosts = await resolvePath('/etc/hosts', roots)
    expect(reachOf([env, hosts, await resolvePath('a.ts', roots)])).toEqual({ outside: [hosts.real], sensitive: [env.real] })
    expect(reachOf([])).toEqual({})
  })

  it('asks for a file of secrets under another name, and for another file under such a name', async () => {
    await using dir = await openTempDir()
    await writeFile(join(dir.path, '.env'), '')
    await symlink('.env', join(dir.path, 'harmless.txt'))
    await writeFile(join(dir.path, 'plain'), '')
    await symlink('plain', join(dir.path, 'id_rsa'))
    for (const path of ['harmless.txt', 'id_rsa']) expect(await resolvePath(path, [dir.path])).toMatchObject({ isSensitive: true })
  })
})

test.each([
  '.env',
  '.env.local',
  '.ENV',
  '.envrc',
  'prod.env/../.env.production',
  'server.key',
  'cert.pem',
  'id_ed25519',
  '/home/a/.ssh/config',
  '/home/a/.ssh/known_hosts',
  '.npmrc',
  '.netrc',
  '/home/a/.aws/credentials',
  '/home/a/.docker/config.json',
  '/home/a/.kube/config',
  '/home/a/.config/gh/hosts.yml',
  'credentials.json',
  'client_secret_123.json',
  'service-account-prod.json',
  'store.jks',
  'passwords.kdbx',
  'project/.git/config',
  'project/.git/hooks/pre-commit',
])('%s usually holds secrets, or runs programs', (path) => {
  expect(isSensitivePath(path)).toBe(true)
})

test.each([
  '.env.example',
  '.env.sample',
  '.env.template',
  'env.ts',
  'environment.env.ts',
  'src/keys.ts',
  'keyboard.key.ts',
  'id_rsa.ts',
  'credentials.ts',
  'src/ssh/client.ts',
  '.gitignore',
  'docker/config.json',
  'monkey',
])('%s does not', (path) => {
  expect(isSensitivePath(path)).toBe(false)
})
