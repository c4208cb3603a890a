import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLineClient, type LineClient } from '../line-client.ts'
import type { Installed } from './peer.ts'
import { countSurvivors, kill, killProcessesOf } from './run-processes.ts'
import { startScriptedModel } from './scripted-model.ts'

/** Where an agent runs: a home of its own, which it keeps from start to start, an empty project, and its model. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly cwd: string
  start(): Performance
  /** The last line of the error output of the last start. */
  lastWords(): Promise<string>
}

/** A started agent. Its disposal leaves no process. */
export interface Performance extends AsyncDisposable {
  readonly client: LineClient
  /** Ends its input, and returns how many processes are left after the grace, which are then killed. */
  end(): Promise<number>
}

export interface Limits {
  /** For each request. */
  readonly requestMs: number
  /** For the end of a process whose input has ended. */
  readonly graceMs: number
}

/** The address of a port that refuses: no request but those to the model leaves the agent. */
const nowhere = 'http://127.0.0.1:9'

export async function openStage(
  { peer, command, args }: Installed,
  folder: string,
  limits: Limits,
): Promise<Stage> {
  const home = join(folder, 'home')
  const cwd = join(folder, 'project')
  const temp = join(folder, 'temp')
  const errors = join(folder, 'stderr')
  for (const each of [home, cwd, temp]) await mkdir(each, { recursive: true })
  const model = await startScriptedModel(peer)
  const { env = {}, files = {} } = peer.setUp(model.url)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }

  return {
    folder,
    cwd,
    start() {
      const stderr = openSync(errors, 'w')
      const client = startLineClient(command, args, {
        cwd,
        stderr,
        limitMs: limits.requestMs,
        env: { ...environment(home, temp), ...env },
      })
      closeSync(stderr)
      let ending: Promise<number> | undefined
      const end = () => (ending ??= endAll(client, folder, limits.graceMs))
      return { client, end, [Symbol.asyncDispose]: async () => void (await end()) }
    },
    async lastWords() {
      const lines = (await readFile(errors, 'utf8').catch(() => '')).trim().split('\n')
      return lines.at(-1) ?? ''
    },
    async [Symbol.asyncDispose]() {
      killProcessesOf(folder)
      await model[Symbol.asyncDispose]()
    },
  }
}

/** Nothing of the person's own settings is read. */
function environment(home: string, temp: string): NodeJS.ProcessEnv {
  const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
    [name, nowhere],
    [name.toUpperCase(), nowhere],
  ])
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: temp,
    ...Object.fromEntries(proxies),
    no_proxy: '127.0.0.1,localhost',
    NO_PROXY: '127.0.0.1,localhost',
  }
}

async function endAll(client: LineClient, folder: string, graceMs: number): Promise<number> {
  const { process: child } = client
  const deadline = performance.now() + graceMs
  child.stdin?.end()
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
    await Promise.race([once(child, 'exit'), sleep(graceMs, undefined, { ref: false })])
  const left = await countSurvivors(folder, deadline - performance.now())
  if (child.pid !== undefined) kill(-child.pid)
  killProcessesOf(folder)
  await countSurvivors(folder, graceMs)
  return left
}
