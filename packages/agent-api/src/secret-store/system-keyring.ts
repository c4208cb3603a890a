import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { OstlerError } from '../base/errors.ts'
import { onAbort } from '../base/or-aborted.ts'
import type { Keyring } from './keyring-store.ts'

const packageName = '@napi-rs/keyring'
const serviceName = 'ostler'
/** Long enough for several secrets in a row, and short enough not to keep an idle process around. */
const idleMs = 2_000

/**
 * Runs in a child process. Requires the secret service on Linux: the fallback of the library, the kernel keyring, is lost on reboot. Reads
 * bytes, because `getPassword` returns `null` for errors that `getSecret` throws.
 */
const script = `
const { Entry } = require(process.argv[1])
const run = {
  get: (entry) => { const bytes = entry.getSecret(); return bytes == null ? null : Buffer.from(bytes).toString('utf8') },
  set: (entry, value) => entry.setSecret(Buffer.from(value, 'utf8')),
  delete: (entry) => entry.deleteCredential(),
}
process.on('message', ({ id, operation, service, name, value }) => {
  try {
    const entry = new Entry(service, name, { linux: { store: 'secret-service' } })
    process.send({ id, value: run[operation](entry, value) ?? null })
  } catch (error) {
    process.send({ id, error: String(error?.message ?? error) })
  }
})
process.on('disconnect', () => process.exit())
`

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface SystemKeyringOptions {
  readonly module?: string
  readonly service?: string
}

/**
 * Accesses the keyring through `@napi-rs/keyring` in a child process. On Linux, the library may wait forever for the session bus in native
 * code. No signal can interrupt that, and a thread cannot be stopped, but a process can. It starts on demand and ends when idle.
 */
export function createSystemKeyring({ module, service = serviceName }: SystemKeyringOptions = {}): Keyring {
  const waiting = new Map<number, Waiting>()
  let helper: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  const fail = (child: ChildProcess, message: string) => {
    // An old process may end after its replacement was started.
    if (child !== helper) return
    helper = undefined
    for (const { reject } of waiting.values()) reject(new Error(message))
    waiting.clear()
  }

  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['-e', script, module ?? findModule()], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
    })
    child.on('message', (reply: Reply) => {
      const waiter = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (reply.error === undefined) waiter?.resolve(reply.value)
      else waiter?.reject(new Error(reply.error))
      if (child === helper && waiting.size === 0) rest(child)
    })
    child.on('error', (error) => fail(child, error.message))
    child.on('exit', (code, signal) =>
      fail(child, `the process that asks the keyring ended (${signal ?? `exit code ${code}`})`),
    )
    return child
  }

  /** Without pending requests, the helper does not keep this process alive, and soon ends. */
  const rest = (child: ChildProcess) => {
    child.unref()
    child.channel?.unref()
    idle = setTimeout(() => {
      if (child === helper) helper = undefined
      if (child.connected) child.disconnect()
    }, idleMs).unref()
  }

  const ask = async (
    operation: string,
    name: string,
    value: string | undefined,
    signal: AbortSignal,
  ): Promise<unknown> => {
    signal.throwIfAborted()
    clearTimeout(idle)
    const child = (helper ??= start())
    child.ref()
    child.channel?.ref()
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    using _aborting = onAbort(signal, () => {
      child.kill('SIGKILL')
      fail(child, 'the keyring did not answer')
    })
    child.send({ id, operation, service, name, value }, (error) => {
      if (error !== null) fail(child, error.message)
    })
    return await promise
  }

  return {
    async get(name, signal) {
      const value = await ask('get', name, undefined, signal)
      return typeof value === 'string' ? value : null
    },
    async set(name, value, signal) {
      await ask('set', name, value, signal)
    },
    async delete(name, signal) {
      await ask('delete', name, undefined, signal)
    },
  }
}

/** Resolved here but imported by the child process: it is an optional dependency. */
function findModule(): string {
  try {
    return createRequire(import.meta.url).resolve(packageName)
  } catch (error) {
    throw new OstlerError('secrets.no_keyring', `The package ${packageName} is not installed.`, {
      cause: error,
    })
  }
}
