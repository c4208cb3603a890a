import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openFileStore } from '../../packages/agent-api/src/secret-store/file-store.ts'
import { openKeyringStore } from '../../packages/agent-api/src/secret-store/keyring-store.ts'
import { createSystemKeyring } from '../../packages/agent-api/src/secret-store/system-keyring.ts'
import { makeFifo } from '../support/make-fifo.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { programPath } from '../support/program-path.ts'
import { openTempDir } from '../support/temp-dir.ts'

const setSecrets = programPath('fixtures/secret-store/set-secrets.ts')
const fakeModule = fileURLToPath(new URL('../fixtures/secret-store/fake-keyring.cjs', import.meta.url))

/** The lock stays, because another process may be about to take it. */
const files = ['secrets.json', 'secrets.json.lock', 'secrets.key']

function startSetting(state: string, prefix: string, count: number) {
  return spawn(process.execPath, [setSecrets, state, prefix, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

describe('the file store', () => {
  it('loses nothing when two processes write at once', async () => {
    await using dir = await openTempDir()
    const count = 60
    const children = ['p', 'q'].map((prefix) => startSetting(dir.path, prefix, count))
    await Promise.all(children.map((child) => text(child.stdout)))
    const store = await openFileStore(dir.path)
    for (const prefix of ['p', 'q']) {
      for (let index = 0; index < count; index++)
        await expect(store.get(`${prefix}${index}`)).resolves.toBe(`value of ${prefix}${index}`)
    }
    await expect(readdir(dir.path)).resolves.toEqual(files)
  })

  it('is complete after a process is killed while writing', async () => {
    await using dir = await openTempDir()
    const child = startSetting(dir.path, 'k', 100_000)
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
    while (said.split('\n').length < 20) await sleep(5)
    await sleep(Math.random() * 20)
    const exited = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGKILL')
    await exited
    const store = await openFileStore(dir.path)
    for (const name of said.split('\n').slice(0, -1))
      await expect(store.get(name)).resolves.toBe(`value of ${name}`)
    // The system has released the lock.
    await store.set('after', 'x')
    await expect(store.get('after')).resolves.toBe('x')
    await expect(readdir(dir.path)).resolves.toEqual(files)
  })
})

describe('the file store, where one of its files is a pipe', () => {
  it.runIf(process.platform !== 'win32')('reports it, and does not wait', async () => {
    await using dir = await openTempDir()
    makeFifo(join(dir.path, 'secrets.json.lock'))
    await expect(openFileStore(dir.path)).rejects.toThrow(/is not a regular file/)
    makeFifo(join(dir.path, 'secrets.json'))
    await expect(openFileStore(dir.path)).rejects.toThrow(/is not a regular file/)
  })
})

describe('the system keyring', () => {
  it('runs in a process that ends when it is idle', async () => {
    await using dir = await openTempDir()
    const before = new Set(await descendantsOf(process.pid))
    const store = await openKeyringStore({
      keyring: createSystemKeyring({ module: fakeModule, service: `${dir.path}|works` }),
    })
    const value = 'päss\n"wörd" \u{1F511}'
    await Promise.all([store.set('a/b', value), store.set('c', 'two')])
    await expect(Promise.all([store.get('a/b'), store.get('c'), store.get('d')])).resolves.toEqual([
      value,
      'two',
      undefined,
    ])
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
    await expect(openKeyringStore({ keyring, waitMs: mode === 'hangs' ? 500 : 20_000 })).rejects.toThrow(
      message,
    )
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
  it.runIf(process.platform === 'linux')(
    'is given up when the bus of the session does not answer',
    async () => {
      await using dir = await openTempDir()
      const sockets = createServer((socket) => socket.on('error', () => {}).resume())
      const bus = join(dir.path, 'bus')
      await new Promise<void>((resolve) => sockets.listen(bus, resolve))
      try {
        const program = `
        import { openSecretStore } from ${JSON.stringify(new URL('../../packages/agent-api/src/secret-store/open-secret-store.ts', import.meta.url).href)}
        const store = await openSecretStore({ stateDir: ${JSON.stringify(join(dir.path, 'state'))}, keyringWaitMs: 1_500 })
        console.log(store.kind, store.problem)`
        const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
          env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        await expect(text(child.stdout)).resolves.toMatch(
          /^file The system keyring cannot be used: it did not answer within 1\.5 s\. Secrets are stored in an encrypted file instead\. .*OSTLER_SECRET_STORE=file\.$/m,
        )
        await until('the end of the process', () => child.exitCode !== null)
      } finally {
        sockets.close()
      }
    },
  )
})
