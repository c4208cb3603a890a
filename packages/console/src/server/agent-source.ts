import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OstlerError, type Logger, type Redactor } from '@ostler/agent-api'
import { configDirectory, findAgentFile } from '@ostler/agent-api/internal'
import {
  openServerService,
  readAgentSettings,
  type ServerService,
  type ShownAgentFile,
} from '@ostler/workbench'
import type { Environment } from './context.ts'

/** The current agent file and its servers. It follows changes of the file while the console is open. */
export interface AgentSource extends AsyncDisposable {
  readonly path: string
  readonly file: string | undefined
  readSettings(): Promise<ShownAgentFile>
  name(): Promise<string>
  service(): Promise<ServerService>
  /** Called when a server was added, changed or removed, or when a connection of this console changed. */
  onChange(listener: () => void): () => void
}

export interface AgentSourceOptions {
  readonly named: string | undefined
  readonly env: Environment
  readonly stateDir: string
  readonly logger: Logger
  readonly redactor: Redactor
}

export function openAgentSource({ named, env, stateDir, logger, redactor }: AgentSourceOptions): AgentSource {
  const listeners = new Set<() => void>()
  let queue: Promise<unknown> = Promise.resolve()
  let opened: { readonly service: ServerService; stamp: string } | undefined
  let isClosed = false

  const pathNow = () => findAgentFile(named, env) ?? join(configDirectory(env), 'ostler.yaml')
  const fileNow = () => (existsSync(pathNow()) ? pathNow() : undefined)
  const changed = () => {
    for (const listener of listeners) listener()
  }

  /** Falls back to the stored servers if the file is invalid. The page that shows the file reports its errors. */
  async function open(): Promise<ServerService> {
    const options = { env, stateDir, logger, redactor, isWatched: true }
    const file = fileNow()
    try {
      return await openServerService({ ...options, file })
    } catch (error) {
      warnIfInvalid(error)
      return openServerService({ ...options, env: withoutOverrides(env) })
    }
  }

  function warnIfInvalid(error: unknown): void {
    if (!(error instanceof OstlerError) || !error.code.startsWith('config.')) throw error
    logger.warn('the agent file is invalid', { error: error.message })
  }

  async function current(): Promise<ServerService> {
    if (isClosed) throw new OstlerError('console.closed', 'The console is closing.')
    const stamp = stampOf(pathNow())
    if (opened === undefined) {
      const service = await open()
      service.onChange(changed)
      opened = { service, stamp }
    } else if (opened.stamp !== stamp) {
      opened.stamp = stamp
      // As in a running agent, the last valid version still applies.
      await opened.service.useFile(fileNow()).catch(warnIfInvalid)
      changed()
    }
    return opened.service
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
    service() {
      // In sequence, so that two callers do not both read a changed file.
      const next = queue.then(current)
      queue = next.catch(() => undefined)
      return next
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
      await opened?.service[Symbol.asyncDispose]()
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
