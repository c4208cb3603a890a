import {
  chmod,
  chown,
  copyFile,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openFileLock } from '../../../packages/agent-api/src/secret-store/file-lock.ts'
import { openFileStore } from '../../../packages/agent-api/src/secret-store/file-store.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

async function openState() {
  const dir = await openTempDir()
  const state = join(dir.path, 'a', 'state')
  const file = join(state, 'secrets.json')
  const key = join(state, 'secrets.key')
  return { state, file, key, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() }
}

/** A state directory with the secret `a`. */
async function openUsed() {
  const used = await openState()
  await (await openFileStore(used.state)).set('a', 'the secret value')
  return used
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('the file store', () => {
  it('keeps secrets across a restart, encrypted', async () => {
    await using used = await openUsed()
    const store = await openFileStore(used.state)
    expect(store.kind).toBe('file')
    await expect(store.get('a')).resolves.toBe('the secret value')
    await expect(store.get('b')).resolves.toBeUndefined()
    await expect(store.get('__proto__')).resolves.toBeUndefined()
    const content = await readFile(used.file, 'utf8')
    expect(JSON.parse(content)).toEqual({
      version: 1,
      entries: { a: { iv: expect.any(String), tag: expect.any(String), data: expect.any(String) } },
    })
    expect(content).not.toContain('secret value')
    expect((await readFile(used.key)).length).toBe(32)
    await expect(readdir(used.state)).resolves.toEqual(['secrets.json', 'secrets.json.lock', 'secrets.key'])
  })

  it.runIf(isPosix)('is this user alone', async () => {
    await using used = await openUsed()
    await expect(Promise.all([used.state, used.file, used.key].map(modeOf))).resolves.toEqual([
      '700',
      '600',
      '600',
    ])
  })

  it('changes, deletes, and accepts any name and value', async () => {
    await using used = await openUsed()
    const store = await openFileStore(used.state)
    const before = await readFile(used.file, 'utf8')
    await store.set('a', 'the secret value')
    // A new initialization vector for each write.
    expect(await readFile(used.file, 'utf8')).not.toBe(before)
    await Promise.all([
      store.set('__proto__', 'p'),
      store.set('mcp/x: "y"', 'ü\n\0\u{1F511}'),
      store.set('a', 'changed'),
    ])
    await expect(Promise.all(['__proto__', 'mcp/x: "y"', 'a'].map(store.get))).resolves.toEqual([
      'p',
      'ü\n\0\u{1F511}',
      'changed',
    ])
    await store.delete('a')
    await store.delete('a')
    await expect((await openFileStore(used.state)).get('a')).resolves.toBeUndefined()
  })

  type Used = Awaited<ReturnType<typeof openUsed>>
  const editFile = (edit: (text: string) => string) => async (used: Used) =>
    writeFile(used.file, edit(await readFile(used.file, 'utf8')))
  it.each<[string, (used: Used) => Promise<unknown>, RegExp]>([
    [
      'an empty file',
      editFile(() => ''),
      /secrets\.json is damaged, so Ostler does not change it\. Restore both/,
    ],
    ['a truncated file', editFile((text) => text.slice(0, text.length / 2)), /secrets\.json is damaged/],
    ['other JSON', editFile(() => '[]'), /secrets\.json is damaged/],
    ['invalid entries', editFile(() => '{"version":1,"entries":{"a":"plain"}}'), /secrets\.json is damaged/],
    ['a newer version', editFile((text) => text.replace('"version": 1', '"version": 2')), /newer Ostler/],
    [
      'a changed value',
      editFile((text) => text.replace(/("data": ").(.)/, '$1A$2').replace(/("tag": ").{4}/, '$1AAAA')),
      /'a' .* cannot be decrypted/,
    ],
    ['a shortened tag', editFile((text) => text.replace(/("tag": ".{8})[^"]*/, '$1')), /cannot be decrypted/],
    [
      'an entry under another name',
      editFile((text) => text.replace('"a":', '"b":')),
      /'b' .* cannot be decrypted/,
    ],
    [
      'another key',
      (used) => writeFile(used.key, Buffer.alloc(32)),
      /secrets\.key is the wrong key, or the file was changed/,
    ],
    ['a truncated key', (used) => writeFile(used.key, 'short'), /secrets\.key is damaged/],
    ['no key', (used) => rm(used.key), /The key .*secrets\.key is missing/],
  ])('does not touch %s', async (_, damage, message) => {
    await using used = await openUsed()
    const store = await openFileStore(used.state)
    await damage(used)
    const before = await readFile(used.file)
    const read = store.get('a')
    // The requested secret may be the one that was renamed.
    await read.catch((error: unknown) => expect(String(error)).toMatch(message))
    await expect(store.set('a', 'new')).rejects.toThrow(message)
    await expect(store.delete('a')).rejects.toThrow(message)
    await expect(store.set('other', 'new')).rejects.toThrow(message)
    await expect(openFileStore(used.state)).rejects.toThrow(message)
    expect(await readFile(used.file)).toEqual(before)
    // Nothing keeps the lock.
    using _lock = await openFileLock(join(used.state, 'secrets.json.lock'), 0)
  })

  it('works again when the key is restored', async () => {
    await using used = await openUsed()
    const store = await openFileStore(used.state)
    await rename(used.key, `${used.key}.away`)
    await expect(store.get('a')).rejects.toMatchObject({ code: 'secrets.key_missing' })
    await expect(store.set('b', 'x')).rejects.toMatchObject({ code: 'secrets.key_missing' })
    await rename(`${used.key}.away`, used.key)
    await expect(store.get('a')).resolves.toBe('the secret value')
  })

  it('starts over when both files were moved away', async () => {
    await using used = await openUsed()
    const store = await openFileStore(used.state)
    await rm(used.file)
    await rm(used.key)
    await expect(store.get('a')).resolves.toBeUndefined()
    await store.set('b', 'x')
    await expect(store.get('b')).resolves.toBe('x')
  })

  it.runIf(isPosix)('removes the permissions of other users', async () => {
    await using used = await openUsed()
    await chmod(used.file, 0o644)
    await chmod(used.key, 0o644)
    await chmod(used.state, 0o777)
    await expect((await openFileStore(used.state)).get('a')).resolves.toBe('the secret value')
    await expect(Promise.all([used.state, used.file, used.key].map(modeOf))).resolves.toEqual([
      '755',
      '600',
      '600',
    ])
  })

  it.runIf(isPosix).each(['755', '1777'])(
    'leaves a directory with the mode %s as it is, because it may be more than a state directory',
    async (mode) => {
      await using used = await openUsed()
      await chmod(used.state, Number.parseInt(mode, 8))
      await (await openFileStore(used.state)).set('a', 'new')
      expect(((await stat(used.state)).mode & 0o7777).toString(8)).toBe(mode)
    },
  )

  it.runIf(isPosix).each(['file', 'key'] as const)(
    'does not follow a link in the place of the %s',
    async (which) => {
      await using used = await openUsed()
      await rename(used[which], `${used[which]}.real`)
      await symlink(`${used[which]}.real`, used[which])
      const before = await readFile(`${used[which]}.real`)
      await expect(openFileStore(used.state)).rejects.toThrow(/is a symbolic link, so it is not used/)
      expect(await readFile(`${used[which]}.real`)).toEqual(before)
    },
  )

  it.each(['file', 'key'] as const)('reports a directory in the place of the %s', async (which) => {
    await using used = await openUsed()
    await rm(used[which])
    await mkdir(used[which])
    await expect(openFileStore(used.state)).rejects.toMatchObject({ code: 'secrets.file_unusable' })
  })

  it('reports a file in place of the directory', async () => {
    await using used = await openUsed()
    await expect(openFileStore(used.file)).rejects.toThrow(/is not a directory, so it is not used/)
    await expect(openFileStore(join(used.file, 'x'))).rejects.toThrow(
      /Cannot create .*: part of the path is a file/,
    )
  })

  it.runIf(process.platform === 'linux')('says when there can be no directory', async () => {
    await expect(openFileStore('/proc/ostler/state')).rejects.toMatchObject({ code: 'secrets.file_unusable' })
  })

  // Only root can change a file's owner.
  it.runIf(isPosix && isRoot).each(['file', 'key', 'state'] as const)(
    'refuses what belongs to another user: %s',
    async (which) => {
      await using used = await openUsed()
      await chown(used[which], 12_345, 12_345)
      await expect(openFileStore(used.state)).rejects.toThrow(/belongs to another user, so it is not used/)
    },
  )

  // Root may write anywhere.
  it.runIf(isPosix && !isRoot)('reports that it may not write', async () => {
    await using used = await openUsed()
    const store = await openFileStore(used.state)
    await chmod(used.state, 0o500)
    await expect(store.set('b', 'x')).rejects.toThrow(/access is denied/)
    await expect(store.get('a')).resolves.toBe('the secret value')
    await chmod(used.state, 0o700)
  })

  it('does not use the key of a copy', async () => {
    await using one = await openUsed()
    await using two = await openUsed()
    await copyFile(one.file, two.file)
    await expect(openFileStore(two.state)).rejects.toMatchObject({ code: 'secrets.undecryptable' })
    await rm(two.key)
    await link(one.key, two.key)
    await expect((await openFileStore(two.state)).get('a')).resolves.toBe('the secret value')
  })
})

describe('the lock between processes', () => {
  it('is held by one, and its file is private', async () => {
    await using dir = await openTempDir()
    const path = join(dir.path, 'lock')
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        using _lock = await openFileLock(path)
        most = Math.max(most, ++inside)
        await sleep(2)
        inside--
      }),
    )
    expect(most).toBe(1)
    expect((await stat(path)).mode & 0o777).toBe(isPosix ? 0o600 : 0o666)
  })

  it('is waited for, but not for ever', async () => {
    await using dir = await openTempDir()
    const path = join(dir.path, 'lock')
    using _lock = await openFileLock(path)
    await expect(openFileLock(path, 0)).rejects.toMatchObject({ code: 'secrets.busy' })
  })
})
