import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OstlerError, type Logger, type Redactor } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import {
  configDirectory,
  findAgentFile,
  openServerService,
  readAgentSettings,
  type ServerService,
  type ShownAgentFile,
} from '@ostler/agent-api/manage'
import type { Environment } from './context.ts'

/** The current agent file and its servers. It follows changes of the file while the console is open. */
export interface AgentSource extends AsyncDisposable {
  /** The path of the file, even if the file does not exist yet. */
  readonly path: string
  /** Undefined if there is no file. */
  readonly file: string | undefined
  readSettings(): Promise<ShownAgentFile>
  /** The agent name under which grants and calls are stored. */
  name(): Promise<string>
  /** The service for the current file. Dispose it after use: the service of an older file closes after its last user. */
  borrow(): Promise<BorrowedService>
  /** Called when a server was added, changed or removed, or when a connection of this console changed. */
  onChange(listener: () => void): () => void
}

export interface BorrowedService extends Disposable {
  readonly service: ServerService
}

export interface AgentSourceOptions {
  /** The path given on the command line. */
  readonly named: string | undefined
  readonly env: Environment
  readonly stateDir: string
  readonly logger: Logger
  readonly redactor: Redactor
}

interface Opened {
  readonly stamp: string
  readonly service: ServerService
  users: number
  isOld: boolean
}

export function openAgentSource({ named, env, stateDir, logger, redactor }: AgentSourceOptions): AgentSource {
  const listeners = new Set<() => void>()
  const endings = new Set<Promise<void>>()
  let queue: Promise<unknown> = Promise.resolve()
  let latest: Opened | undefined
  let isClosed = false

  const pathNow = () => findAgentFile(named, env) ?? join(configDirectory(env), 'ostler.yaml')
  const fileNow = () => (existsSync(pathNow()) ? pathNow() : undefined)
  const changed = () => {
    for (const listener of listeners) listener()
  }

  async function open(stamp: string): Promise<Opened> {
    const service = await openOrWithoutFile()
    service.onServersChange(changed)
    service.onConnectionChange(changed)
    return { stamp, service, users: 0, isOld: false }
  }

  /** Falls back to the stored servers if the file is invalid. The page that shows the file reports its errors. */
  async function openOrWithoutFile(): Promise<ServerService> {
    const options = { env, stateDir, logger, redactor }
    const file = fileNow()
    try {
      return await openServerService({ ...options, ...(file !== undefined && { file }) })
    } catch (error) {
      if (!(error instanceof OstlerError) || !error.code.startsWith('config.')) throw error
      logger.warn('the agent file is invalid', { error: error.message })
      return openServerService({ ...options, env: withoutOverrides(env) })
    }
  }

  /** Sequential, so that two callers do not both reopen a changed file. */
  function current(): Promise<Opened> {
    const next = queue.then(reopen)
    queue = next.catch(() => undefined)
    return next
  }

  async function reopen(): Promise<Opened> {
    if (isClosed) throw new OstlerError('console.closed', 'The console is closing.')
    const before = latest
    const stamp = stampOf(pathNow())
    if (before?.stamp === stamp) return before
    const now = await open(stamp)
    latest = now
    if (before !== undefined) {
      before.isOld = true
      retire(before)
      changed()
    }
    return now
  }

  function retire(opened: Opened): void {
    if (!opened.isOld || opened.users > 0) return
    const end = Promise.resolve(opened.service[Symbol.asyncDispose]()).catch((error: unknown) =>
      logger.warn('failed to close the servers of an older agent file', { error: messageOf(error) }),
    )
    endings.add(end)
    void end.finally(() => endings.delete(end))
  }

  return {
    get path() {
      return pathNow()
    },
    get file() {
      return fileNow()
    },
    readSettings: () => readAgentSettings(pathNow(), env),
    name: async () => (await readAgentSettings(pathNow(), env)).name,
    async borrow() {
      const opened = await current()
      opened.users++
      let isGivenBack = false
      return {
        service: opened.service,
        [Symbol.dispose]() {
          if (isGivenBack) return
          isGivenBack = true
          opened.users--
          retire(opened)
        },
      }
    },
    onChange(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      listeners.clear()
      await queue
      await latest?.service[Symbol.asyncDispose]()
      await Promise.all(endings)
    },
  }
}

function withoutOverrides(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^OSTLER_\w+__\w/.test(name)))
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? `${path} -` : `${path} ${found.mtimeNs} ${found.size} ${found.ino}`
}
