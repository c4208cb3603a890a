import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { programPath } from './program-path.ts'

export function fixturePath(name: string): string {
  return programPath(`fixtures/servers/${name}`)
}

export interface HttpFixture extends AsyncDisposable {
  readonly url: string
  /** Its output lines after the URL. */
  readonly lines: readonly string[]
  kill(): Promise<void>
}

/** Starts a fixture that listens on a free port and prints its URL first. A thread starts in a fraction of the time of a process. */
export async function startHttpFixture(name: string, ...args: string[]): Promise<HttpFixture> {
  const thread = new Worker(fixturePath(name), { argv: args, execArgv: [], stdout: true })
  const lines: string[] = []
  const reader = createInterface({ input: thread.stdout })
  const [url] = (await once(reader, 'line')) as [string]
  reader.on('line', (line) => lines.push(line))
  const kill = async () => void (await thread.terminate())
  return { url, lines, kill, [Symbol.asyncDispose]: kill }
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
