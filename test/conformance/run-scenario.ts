import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTempDir } from '../support/temp-dir.ts'
import { runClient, type Task } from './client.ts'
import type { Ostler } from './ostlers.ts'
import { run } from './run.ts'
import type { Suite } from './suites.ts'

/** The suite's verdict on one scenario. */
export interface Outcome {
  readonly scenario: string
  readonly passed: number
  readonly failed: number
  readonly warnings: number
  /** The failed checks, and the output of the client. */
  readonly reasons: readonly string[]
}

interface Check {
  readonly name: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly description: string
  readonly errorMessage?: string
}

const scenarioMsMax = 90_000
const handOver = fileURLToPath(new URL('hand-over.mjs', import.meta.url))

/** Lets the official suite start its server for one scenario. The client that it starts hands the scenario over to this process. */
export async function runScenario(
  { script, revision }: Suite,
  scenario: string,
  ostler: Ostler,
): Promise<Outcome> {
  await using dir = await openTempDir()
  await using desk = await openDesk(join(dir.path, 'socket'), (task) => runClient(task, ostler))
  const command = `"${process.execPath}" "${handOver}" "${desk.socket}"`
  const args = [
    script,
    'client',
    '--scenario',
    scenario,
    '--command',
    command,
    '--timeout',
    String(scenarioMsMax),
    '--output-dir',
    dir.path,
  ]
  const wire = revision === undefined ? [] : ['--spec-version', revision, '--force']
  const { output } = await run(process.execPath, [...args, ...wire], { HOME: dir.path })
  const checks = await readChecks(dir.path)
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  const failures = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const isBroken = checks.length === 0 || desk.errors.length > 0 || /CLIENT (?:TIMED OUT|EXITED)/.test(output)
  return {
    scenario,
    passed: count('SUCCESS'),
    failed: count('FAILURE') + (isBroken ? 1 : 0),
    warnings: count('WARNING'),
    reasons: [
      ...failures.map(({ name, errorMessage, description }) => `${name}: ${errorMessage ?? description}`),
      ...desk.errors,
      ...(isBroken || failures.length > 0 ? [output.slice(-4_000)] : []),
    ],
  }
}

interface Desk extends AsyncDisposable {
  readonly socket: string
  /** The output of clients that failed. */
  readonly errors: readonly string[]
}

/** Runs the client for each task that is handed over, and answers with its output. */
async function openDesk(path: string, client: (task: Task) => Promise<string>): Promise<Desk> {
  const errors: string[] = []
  const desk = createServer({ allowHalfOpen: true }, (socket) => {
    let line = ''
    socket.setEncoding('utf8').on('data', (text: string) => (line += text))
    socket
      .on('error', () => undefined)
      .on('end', () => {
        const printed = client(JSON.parse(line) as Task)
        void printed
          .catch((error: unknown) => errors.push(String(error)))
          .then((text) => socket.end(String(text)))
      })
  }).listen(path)
  await once(desk, 'listening')
  return {
    socket: path,
    errors,
    async [Symbol.asyncDispose]() {
      const closed = once(desk, 'close')
      desk.close()
      await closed
    },
  }
}

/** The suite writes its checks into a folder of its own choice. */
async function readChecks(folder: string): Promise<Check[]> {
  const files = await readdir(folder, { recursive: true })
  const file = files.find((name) => name.endsWith('checks.json'))
  return file === undefined ? [] : (JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[])
}
