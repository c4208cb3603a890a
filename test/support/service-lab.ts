import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OstlerError } from '../../packages/agent-api/src/index.ts'
import {
  capabilitiesOf,
  openServerService,
  type ServerCapabilities,
  type ServerService,
} from '../../packages/workbench/src/index.ts'
import type { ServerServiceOptions } from '../../packages/workbench/src/servers/service/open-server-service.ts'
import { fixturePath } from './mcp-clients.ts'
import { quickTiming } from './quick-timing.ts'
import { openTempDir } from './temp-dir.ts'

/** A folder with a state directory that several services may share. */
export interface ServiceLab extends AsyncDisposable {
  readonly path: string
  readonly stateDir: string
  open(options?: Partial<ServerServiceOptions>): Promise<ServerService>
  writeAgentFile(file: object): Promise<string>
  /** All files of the state, as raw bytes. */
  stateBytes(): Promise<string>
}

export async function openServiceLab(): Promise<ServiceLab> {
  const dir = await openTempDir()
  const stateDir = join(dir.path, 'state')
  const services: ServerService[] = []
  return {
    path: dir.path,
    stateDir,
    async open(options = {}) {
      const service = await openServerService({
        stateDir,
        env: {},
        secretStore: 'file',
        timing: quickTiming,
        ...options,
      })
      services.push(service)
      return service
    },
    async writeAgentFile(file) {
      const path = join(dir.path, 'ostler.json')
      await writeFile(path, JSON.stringify(file))
      return path
    },
    async stateBytes() {
      const names = await readdir(stateDir)
      return (await Promise.all(names.map((name) => readFile(join(stateDir, name), 'latin1')))).join('\n')
    },
    async [Symbol.asyncDispose]() {
      for (const service of services) await service[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}

export async function connect(
  service: ServerService,
  id: string,
  signal = new AbortController().signal,
): Promise<ServerCapabilities> {
  return capabilitiesOf(await service.server(id).use({ signal }), signal)
}

/** An entry for a stdio server with the tools `echo`, `add` and others. */
export function stdioEntry(fixture: string, ...args: string[]): Record<string, unknown> {
  return { type: 'stdio', command: process.execPath, args: [fixturePath(fixture), ...args] }
}

/** The error that a call throws, which must be an `OstlerError`. */
export async function errorOf(work: Promise<unknown>): Promise<OstlerError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof OstlerError) return error
  throw new Error(`expected an OstlerError, and got ${String(error)}`)
}
