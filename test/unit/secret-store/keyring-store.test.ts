import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openKeyringStore } from '../../../packages/agent-api/src/secret-store/keyring-store.ts'
import type { Keyring } from '../../../packages/agent-api/src/secret-store/keyring.ts'
import { createSystemKeyring } from '../../../packages/agent-api/src/secret-store/system-keyring.ts'
import { descendantsOf, survivorsAfter, until } from '../../support/processes.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const fakeModule = fileURLToPath(new URL('fixtures/fake-keyring.cjs', import.meta.url))

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

  it('does not take a locked keyring for an empty one', async () => {
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
    ['throws', { ...works, set: async () => Promise.reject(new Error('AccessDenied.\n')) }, /cannot be written: AccessDenied\. Unlock it/],
    ['forgets', { ...works, get: async () => null }, /does not give back what was written/],
    ['gives back something else', { ...works, get: async () => 'x' }, /does not give back what was written/],
    ['cannot delete', { ...works, delete: async () => Promise.reject(new Error('no')) }, /cannot be changed: no\./],
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

describe('the system keyring', () => {
  it('runs in a process that ends when it is idle', async () => {
    await using dir = await openTempDir()
    const before = new Set(await descendantsOf(process.pid))
    const store = await openKeyringStore({ keyring: createSystemKeyring({ module: fakeModule, service: `${dir.path}|works` }) })
    const value = 'päss\n"wörd" \u{1F511}'
    await Promise.all([store.set('a/b', value), store.set('c', 'two')])
    await expect(Promise.all([store.get('a/b'), store.get('c'), store.get('d')])).resolves.toEqual([value, 'two', undefined])
    await store.delete('c')
    await expect(readdir(dir.path)).resolves.toEqual([encodeURIComponent('a/b')])
    const started = (await descendantsOf(process.pid)).filter((pid) => !before.has(pid))
    expect(started.length).toBeGreaterThan(0)
    await expect(survivorsAfter(started, 10_000)).resolves.toEqual([])
    await expect(store.get('a/b')).resolves.toBe(value)
  })

  it.each([
    ['hangs', /did not answer within 0\.5 s/],
    ['crashes', /the process that asks the keyring ended/],
    ['throws', /Platform failure: AccessDenied/],
  ])('that %s cannot be opened, and leaves no process', async (mode, message) => {
    await using dir = await openTempDir()
    const before = new Set(await descendantsOf(process.pid))
    const keyring = createSystemKeyring({ module: fakeModule, service: `${dir.path}|${mode}` })
    let ticks = 0
    const ticking = setInterval(() => ticks++, 10)
    await expect(openKeyringStore({ keyring, waitMs: mode === 'hangs' ? 500 : 20_000 })).rejects.toThrow(message)
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(0)
    const started = (await descendantsOf(process.pid)).filter((pid) => !before.has(pid))
    await expect(survivorsAfter(started, 10_000)).resolves.toEqual([])
  })

  it('that is not installed cannot be opened', async () => {
    const keyring = createSystemKeyring({ module: join(fakeModule, 'missing') })
    await expect(openKeyringStore({ keyring })).rejects.toThrow(/cannot be used: /)
  })

  // The real module with a bus of the test's own, which has no keyring.
  it.runIf(process.platform === 'linux')('is given up when the bus of the session does not answer', async () => {
    await using dir = await openTempDir()
    const sockets = createServer((socket) => socket.on('error', () => {}).resume())
    const bus = join(dir.path, 'bus')
    await new Promise<void>((resolve) => sockets.listen(bus, resolve))
    try {
      const program = `
        import { openSecretStore } from ${JSON.stringify(new URL('../../../packages/agent-api/src/secret-store/open-secret-store.ts', import.meta.url).href)}
        const store = await openSecretStore({ stateDir: ${JSON.stringify(join(dir.path, 'state'))}, keyringWaitMs: 1_500 })
        console.log(store.kind, store.problem)`
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
        env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await expect(text(child.stdout)).resolves.toMatch(
        /^file The system keyring cannot be used: it did not answer within 1\.5 s\. .*Secrets are kept in an encrypted file instead\.$/m,
      )
      await until('the end of the process', () => child.exitCode !== null)
    } finally {
      sockets.close()
    }
  })
})
