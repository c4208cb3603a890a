import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { programPath } from './program-path.ts'

export interface HistoryProcess extends AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly pid: number
  /** All lines so far. */
  readonly lines: readonly string[]
  /** Settles with the first matching line, past or future. Rejects if the process ends without one. */
  line(isWanted: (line: string) => boolean): Promise<string>
  kill(): Promise<void>
}

/** Starts a fixture of test/fixtures/history that uses a history. */
export function startHistoryProcess(
  fixture: 'writer' | 'holder' | 'opener',
  ...args: readonly string[]
): HistoryProcess {
  const script = programPath(`fixtures/history/${fixture}.ts`)
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader: Interface = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const closed = once(reader, 'close')
  // A killed process no longer reads.
  child.stdin.on('error', () => undefined)

  return {
    child,
    pid: child.pid ?? 0,
    lines,
    async line(isWanted) {
      for (;;) {
        const found = lines.find(isWanted)
        if (found !== undefined) return found
        const event = await Promise.race([
          once(reader, 'line').then(() => 'line' as const),
          closed.then(() => 'closed' as const),
        ])
        const last = lines.find(isWanted)
        if (last !== undefined) return last
        if (event === 'closed') throw new Error(`the process ended; it said ${lines.slice(-5).join(' | ')}`)
      }
    },
    kill: end,
    [Symbol.asyncDispose]: end,
  }

  async function end(): Promise<void> {
    child.kill('SIGKILL')
    await closed
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}
