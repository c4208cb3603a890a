import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/client'
import type { Logger } from '../../base/logger.ts'
import type { Fence } from '../../fence/fence.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createThrottle } from '../../base/throttle.ts'
import type { StdioServerConfig } from '../server-config.ts'
import { startServerProcess, type ServerProcess } from '../server-process.ts'
import type { Timing } from '../../base/timing.ts'
import { createMessageReader } from './read-messages.ts'
import type { PendingRequests } from './pending-requests.ts'
import type { StderrLine } from './stderr-tail.ts'

interface StdioTransport extends Transport {
  readonly pid: number | null
  /** Together with `pid`, tells the SDK that this is a stdio transport. */
  readonly stderr: null
  readonly ending: ProcessEnding | undefined
  /** Resolves when `ending` is set, or shortly after stdin broke. */
  readonly inputBroken: Promise<void>
  stderrLines(linesMax?: number): readonly StderrLine[]
  close(options?: { hurry?: boolean }): Promise<void>
}

export type ProcessEnding =
  | { readonly kind: 'exit'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'output_closed' }

interface StdioTransportOptions {
  readonly config: StdioServerConfig
  readonly cwd: string
  readonly process?: ServerProcess
  readonly fence?: Fence | undefined
  readonly timing: Timing
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly redactor: Redactor
}

/** Faster servers have to wait for the next second, so that they do not use up our time. */
const linesPerSecondMax = 5_000

/** Speaks JSON-RPC with a child process, one message per line. Ends the process on close. */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const { config, pending, logger, redactor, timing } = options
  let process = options.process
  let ending: ProcessEnding | undefined
  let closing: Promise<void> | undefined
  const broken = Promise.withResolvers<void>()
  let remainingOutput: Promise<unknown> = Promise.resolve()

  const reader = createMessageReader({
    name: config.name,
    pending,
    logger,
    redactor,
    onMessage: (message) => transport.onmessage?.(message),
  })

  function watch(started: ChildProcess) {
    // The end of the process, which follows, explains more than a broken pipe.
    started.stdin?.on('error', () => afterLastWords(timing.lastWordsMs, broken.resolve))
    const throttle = createThrottle(linesPerSecondMax)
    started.stdout
      ?.on('data', (chunk: Buffer) => {
        reader.push(chunk)
        const waitMs = throttle(countNewlines(chunk))
        if (waitMs === 0) return
        logger.debug(`MCP server ${config.name} writes too fast, and has to wait`, {
          linesPerSecondMax,
          waitMs,
        })
        started.stdout?.pause()
        setTimeout(() => started.stdout?.resume(), waitMs)
      })
      .on('error', () => {})
    const exited = () => {
      ending ??= { kind: 'exit', code: started.exitCode, signal: started.signalCode }
      broken.resolve()
      afterOutput(started, timing.lastWordsMs, () => void transport.close())
    }
    if (started.exitCode === null && started.signalCode === null) started.once('exit', exited)
    else {
      // The process ended before we listened. Its output is still in the pipes, unless a child process holds them open.
      ending ??= { kind: 'exit', code: started.exitCode, signal: started.signalCode }
      remainingOutput = Promise.race([once(started, 'close'), delay(timing.lastWordsMs)])
      void remainingOutput.then(exited)
    }
    started.stdout?.once('end', () => {
      reader.end()
      afterLastWords(timing.lastWordsMs, () => {
        ending ??= { kind: 'output_closed' }
        void transport.close()
      }).unref()
    })
  }

  async function end({ hurry = false }: { hurry?: boolean } = {}) {
    const started = process?.child
    // Tell listeners first, because no answer will arrive any more.
    transport.onclose?.()
    await remainingOutput
    await process?.group?.end({ hurry, closeInput: () => started?.stdin?.end() })
    broken.resolve()
    for (const stream of [started?.stdin, started?.stdout, started?.stderr]) stream?.destroy()
  }

  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return process?.child.pid ?? null
    },
    get ending() {
      return ending
    },
    inputBroken: broken.promise,
    stderrLines: (linesMax) => process?.stderr.lines(redactor, linesMax) ?? [],
    async start() {
      process ??= startServerProcess(config, options.cwd, logger, timing, options.fence)
      if (process.group !== undefined) watch(process.child)
      await process.spawned
    },
    send(message) {
      const line = `${JSON.stringify(message)}\n`
      return new Promise((resolve, reject) => {
        if (closing !== undefined || !process?.child.stdin?.writable)
          return reject(Object.assign(new Error('the server is not running'), { code: 'EPIPE' }))
        process.child.stdin.write(line, (error) => (error ? reject(error) : resolve()))
      })
    },
    close(how) {
      // Set before `end` runs, because listeners may call `close` again.
      closing ??= Promise.resolve().then(() => end(how))
      return closing
    },
  }
  return transport
}

/** Calls back once the output of an ended process is read, or is held open by one of its children. */
function afterOutput(child: ChildProcess, lastWordsMs: number, done: () => void) {
  if (child.stdout === null || child.stdout.readableEnded) return done()
  const timer = afterLastWords(lastWordsMs, done)
  child.stdout.once('end', () => {
    clearTimeout(timer)
    done()
  })
}

/** Reads first what arrived in that time, such as the exit, even if this process was too busy to notice. */
function afterLastWords(lastWordsMs: number, done: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(done), lastWordsMs)
}

function countNewlines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}
