import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { reachOf, resolvePath } from '../../../packages/agent-api/src/workspace/workspace-path.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const resolve = (path: string, roots: readonly string[], ownFiles: readonly string[] = []) =>
  resolvePath(path, { roots, ownFiles })

describe('resolvePath', () => {
  it('follows links, and reports what is inside the directories', async () => {
    await using dir = await openTempDir()
    const base = await realpath(dir.path)
    const [root, other, outside] = ['root', 'other', 'outside'].map((name) => join(base, name)) as [
      string,
      string,
      string,
    ]
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
      expect(await resolve(path, roots)).toMatchObject({ path: expected, real: expected, isOutside: false })
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
      expect(await resolve(path, roots)).toMatchObject({
        path: expected,
        real: expected,
        shown: expected,
        isOutside: true,
      })
    // A root that is reached through a link keeps the name under which the editor knows it.
    expect(await resolve('sub/x', [join(base, 'alias')])).toEqual({
      path: join(base, 'alias', 'sub/x'),
      real: join(root, 'sub/x'),
      shown: 'sub/x',
      isOutside: false,
      sensitivity: undefined,
      otherNames: 0,
    })
    expect(await resolve('any/where', ['/'])).toMatchObject({ path: '/any/where', isOutside: false })
  })

  it('rejects text that is not a path, with the reason', async () => {
    await using dir = await openTempDir()
    await symlink('loop', join(dir.path, 'loop'))
    await symlink('b', join(dir.path, 'a'))
    await symlink('a/x', join(dir.path, 'b'))
    const roots = [dir.path]
    await expect(resolve('a\0b', roots)).rejects.toThrow('NUL')
    await expect(resolve('loop', roots)).rejects.toThrow('loop')
    await expect(resolve('loop/x', roots)).rejects.toThrow('loop')
    await expect(resolve('a', roots)).rejects.toThrow('loop')
    await expect(resolve('x'.repeat(256), roots)).rejects.toThrow('too long')
    await expect(resolve('x', [])).rejects.toThrow('no directory')
  })

  it('understands the home directory and URLs of files', async () => {
    await using dir = await openTempDir()
    const home = await realpath(homedir())
    expect(await resolve('~', [dir.path])).toMatchObject({ real: home, isOutside: true })
    expect(await resolve('~/x/y', [dir.path])).toMatchObject({ real: join(home, 'x/y'), isOutside: true })
    expect(await resolve('~x', [dir.path])).toMatchObject({ shown: '~x', isOutside: false })
    expect(await resolve(pathToFileURL(join(dir.path, 'a b')).href, [dir.path])).toMatchObject({
      shown: 'a b',
      isOutside: false,
    })
    await expect(resolve('file://elsewhere/x', [dir.path])).rejects.toThrow(
      'not the URL of a file on this machine',
    )
    await expect(resolve('file:///a%00b', [dir.path])).rejects.toThrow('cannot be used')
  })

  it('gives a plan the real paths that need a question', async () => {
    await using dir = await openTempDir()
    const roots = [dir.path]
    const env = await resolve('.env', roots)
    const hosts = await resolve('/etc/hosts', roots)
    const hook = await resolve('.husky/pre-commit', roots)
    const all = [env, hosts, hook, await resolve('a.ts', roots)]
    expect(reachOf(all, 'read')).toEqual({ outside: [hosts.real], sensitive: [env.real] })
    expect(reachOf(all, 'write')).toEqual({ outside: [hosts.real], sensitive: [env.real, hook.real] })
    expect(reachOf([], 'read')).toEqual({})
  })

  it("asks for the agent's own files, also through a link", async () => {
    await using dir = await openTempDir()
    const own = join(dir.path, 'bot.yaml')
    await writeFile(own, '')
    await symlink(own, join(dir.path, 'config'))
    await symlink(dir.path, join(dir.path, 'here'))
    // The agent may also have been named by a link.
    for (const named of [own, join(dir.path, 'here/config')]) {
      for (const path of ['bot.yaml', 'config', 'here/bot.yaml'])
        expect(await resolve(path, [dir.path], [named, join(dir.path, 'not-yet.mjs')])).toMatchObject({
          sensitivity: 'secret',
        })
      expect(await resolve('other.yaml', [dir.path], [named])).toMatchObject({ sensitivity: undefined })
    }
    expect(await resolve('not-yet.mjs', [dir.path], [join(dir.path, 'not-yet.mjs')])).toMatchObject({
      sensitivity: 'secret',
    })
  })

  it('asks for a file of secrets under another name, and for another file under such a name', async () => {
    await using dir = await openTempDir()
    await writeFile(join(dir.path, '.env'), '')
    await symlink('.env', join(dir.path, 'harmless.txt'))
    await writeFile(join(dir.path, 'plain'), '')
    await symlink('plain', join(dir.path, 'id_rsa'))
    for (const path of ['harmless.txt', 'id_rsa'])
      expect(await resolve(path, [dir.path])).toMatchObject({ sensitivity: 'secret' })
  })
})
