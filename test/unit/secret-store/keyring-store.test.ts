import { describe, expect, it } from 'vitest'
import { openKeyringStore, type Keyring } from '../../../packages/agent-api/src/secret-store/keyring-store.ts'

/** An in-memory keyring that can be locked. A locked one throws on writes and returns `null` on reads. */
function createKeyring() {
  const entries = new Map<string, string>()
  const state = { locked: false, entries }
  const keyring: Keyring = {
    get: async (name) => (state.locked ? null : (entries.get(name) ?? null)),
    async set(name, value) {
      if (state.locked) throw new Error('unlock prompt was dismissed')
      entries.set(name, value)
    },
    async delete(name) {
      if (!state.locked) entries.delete(name)
    },
  }
  return { keyring, state }
}

describe('the keyring store', () => {
  it('keeps secrets, and leaves no probes behind', async () => {
    const { keyring, state } = createKeyring()
    const store = await openKeyringStore({ keyring })
    expect(store.kind).toBe('keyring')
    await store.set('a', 'one')
    await expect(store.get('a')).resolves.toBe('one')
    await expect(store.get('b')).resolves.toBeUndefined()
    await store.delete('a')
    await store.delete('a')
    await expect(store.get('a')).resolves.toBeUndefined()
    expect(state.entries.size).toBe(0)
  })

  it('does not mistake a locked keyring for an empty one', async () => {
    const { keyring, state } = createKeyring()
    const store = await openKeyringStore({ keyring })
    await store.set('a', 'one')
    state.locked = true
    await expect(store.get('a')).rejects.toMatchObject({
      code: 'secrets.keyring_unusable',
      message:
        'The system keyring cannot be used: it cannot be written: unlock prompt was dismissed. Unlock it, or log in to a desktop session, and try again.',
    })
    await expect(store.set('a', 'two')).rejects.toMatchObject({ code: 'secrets.keyring_unusable' })
    await expect(store.delete('a')).rejects.toMatchObject({ code: 'secrets.keyring_unusable' })
    state.locked = false
    await expect(store.get('a')).resolves.toBe('one')
  })

  it('reads again when the probe unlocked it', async () => {
    const { keyring, state } = createKeyring()
    const store = await openKeyringStore({ keyring })
    await store.set('a', 'one')
    state.locked = true
    const set = keyring.set
    keyring.set = async (...args) => {
      state.locked = false
      await set(...args)
    }
    await expect(store.get('a')).resolves.toBe('one')
  })

  const never = () => new Promise<never>(() => {})
  const works = createKeyring().keyring
  it.each<[string, Keyring, RegExp]>([
    [
      'throws',
      { ...works, set: async () => Promise.reject(new Error('AccessDenied.\n')) },
      /cannot be written: AccessDenied\. Unlock it/,
    ],
    ['forgets', { ...works, get: async () => null }, /does not return what was written/],
    ['gives back something else', { ...works, get: async () => 'x' }, /does not return what was written/],
    [
      'cannot delete',
      { ...works, delete: async () => Promise.reject(new Error('no')) },
      /cannot be changed: no\./,
    ],
    ['hangs when it is written to', { ...works, set: never }, /did not answer within 0\.05 s/],
    ['hangs when it is read', { ...works, get: never }, /did not answer within 0\.05 s/],
  ])('cannot be opened when the keyring %s', async (_, keyring, message) => {
    await expect(openKeyringStore({ keyring, waitMs: 50 })).rejects.toThrow(message)
  })

  it('does not reveal the secret when the keyring does', async () => {
    const { keyring } = createKeyring()
    const store = await openKeyringStore({ keyring })
    keyring.set = async (_, value) => Promise.reject(new Error(`'${value}' is too long`))
    await expect(store.set('a', 'hunter2')).rejects.toThrow("cannot be written: '[redacted]' is too long.")
  })

  it.each([
    ['', 'x'],
    ['a\nb', 'x'],
    ['a'.repeat(201), 'x'],
    ['a', ''],
    ['a', '\ud800'],
    ['a', 'x'.repeat(70_000)],
  ])('refuses %j = %j', async (name, value) => {
    const store = await openKeyringStore({ keyring: createKeyring().keyring })
    await expect(store.set(name, value)).rejects.toMatchObject({ code: 'secrets.invalid' })
  })
})
