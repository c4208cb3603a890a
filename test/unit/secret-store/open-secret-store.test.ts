import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Keyring } from '../../../packages/agent-api/src/secret-store/keyring-store.ts'
import { openSecretStore } from '../../../packages/agent-api/src/secret-store/open-secret-store.ts'
import { openTempDir } from '../../support/temp-dir.ts'

function createKeyring(): Keyring {
  const entries = new Map<string, string>()
  return {
    get: async (name) => entries.get(name) ?? null,
    set: async (name, value) => void entries.set(name, value),
    delete: async (name) => void entries.delete(name),
  }
}

const broken: Keyring = { ...createKeyring(), set: async () => Promise.reject(new Error('AccessDenied')) }
/** Must not be used at all. */
const untouchable = new Proxy({} as Keyring, { get: () => expect.unreachable() })

describe('openSecretStore', () => {
  it('uses the keyring', async () => {
    await using dir = await openTempDir()
    const store = await openSecretStore({ stateDir: dir.path, keyring: createKeyring() })
    expect([store.kind, store.problem]).toEqual(['keyring', undefined])
    await expect(readdir(dir.path)).resolves.toEqual([])
  })

  it('uses the file when the keyring cannot be used, and says why', async () => {
    await using dir = await openTempDir()
    const store = await openSecretStore({ stateDir: dir.path, keyring: broken })
    expect(store.kind).toBe('file')
    expect(store.problem).toBe(
      'The system keyring cannot be used: it cannot be written: AccessDenied. Secrets are stored in an encrypted file instead. To choose that, set OSTLER_SECRET_STORE=file.',
    )
    await store.set('a', 'one')
    await expect(
      (await openSecretStore({ stateDir: dir.path, only: 'file', keyring: untouchable })).get('a'),
    ).resolves.toBe('one')
  })

  it('says of a long message of the keyring only its beginning', async () => {
    await using dir = await openTempDir()
    const keyring = {
      ...broken,
      set: async () => Promise.reject(new Error(`no session bus: ${'x'.repeat(250)}`)),
    }
    const { problem = '' } = await openSecretStore({ stateDir: dir.path, keyring })
    expect(problem).toMatch(
      /^The system keyring cannot be used: it cannot be written: no session bus: x+… Secrets are stored in/,
    )
    expect(problem.length).toBeLessThan(220)
  })

  it('uses the memory when nothing else can be used, and writes nothing', async () => {
    await using dir = await openTempDir()
    const path = join(dir.path, 'secrets.json')
    await writeFile(path, 'garbage')
    const store = await openSecretStore({ stateDir: dir.path, keyring: broken })
    expect(store.kind).toBe('memory')
    expect(store.problem).toMatch(
      /keyring cannot be used.*secrets\.json is damaged.*Secrets are kept only until Ostler ends\.$/,
    )
    await store.set('a', 'one')
    await expect(store.get('a')).resolves.toBe('one')
    await expect(store.get('b')).resolves.toBeUndefined()
    await store.delete('a')
    await expect(store.get('a')).resolves.toBeUndefined()
    await expect(readdir(dir.path)).resolves.toEqual(['secrets.json'])
  })

  it('uses the memory without a state directory', async () => {
    const store = await openSecretStore({ keyring: broken })
    expect(store.kind).toBe('memory')
    expect(store.problem).toMatch(/There is no state directory/)
  })

  it('starts with the preferred store', async () => {
    await using dir = await openTempDir()
    const file = await openSecretStore({ stateDir: dir.path, prefer: 'file', keyring: untouchable })
    expect([file.kind, file.problem]).toEqual(['file', undefined])
    const memory = await openSecretStore({ stateDir: dir.path, prefer: 'memory', keyring: untouchable })
    expect([memory.kind, memory.problem]).toEqual(['memory', undefined])
  })

  it('opens only the store that holds a secret, or fails', async () => {
    await using dir = await openTempDir()
    await expect(
      openSecretStore({ stateDir: dir.path, only: 'keyring', keyring: broken }),
    ).rejects.toMatchObject({
      code: 'secrets.keyring_unusable',
    })
    await expect(openSecretStore({ only: 'file', keyring: untouchable })).rejects.toMatchObject({
      code: 'secrets.no_state_dir',
    })
    expect((await openSecretStore({ only: 'memory', keyring: untouchable })).kind).toBe('memory')
  })
})
