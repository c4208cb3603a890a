import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/client'
import type { ErrorCode } from '../../base/errors.ts'
import { shownSize } from '../../base/shown-size.ts'
import type { Logger } from '../../base/logger.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createThrottle } from '../../base/throttle.ts'
import type { StdioServerConfig } from '../server-config.ts'
import { startServerProcess, type ServerProcess } from '../server-process.ts'
import type { Timing } from '../timing.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import { createLineSplitter, type OversizedLine } from './line-splitter.ts'
import { localFailure } from './local-failure.ts'
import { messageBytesMax } from './message-limits.ts'
import { findAnswerId, parseLine, parseLongLine, type ParsedLine } from './parse-line.ts'
import type { PendingRequests } from './pending-requests.ts'

export interface StdioTransport extends Transport {
  readonly pid: number | null
  /** Together with `pid`, tells the SDK that this is a stdio transport. */
  readonly stderr: null
  /** Set once the server has ended. */
  readonly ending: ProcessEnding | undefined
  /** Resolves when `ending` is set, or shortly after stdin broke. */
  readonly inputBroken: Promise<void>
  stderrLines(): string[]
  close(options?: { hurry?: boolean }): Promise<void>
}

export type ProcessEnding =
  | { readonly kind: 'exit'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'output_closed' }

export interface StdioTransportOptions {
  readonly config: StdioServerConfig
  readonly cwd: string
  /** A process that is already running. */
  readonly process?: ServerProcess
  readonly timing: Timing
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly redactor: Redactor
}

/** Faster servers have to wait for the next second, so that they do not use up our time. */
const linesPerSecondMax = 5_000
const shownNoiseLength = 200
const readNoiseLength = 4_000
/** Longer lines are parsed in slices. */
const shortLineChars = 256 * 1024
/** Enough to find the id of an answer, which is at its start or end. */
const endChars = 4 * 1024

/** Speaks JSON-RPC with a child process, one message per line. Ends the process on close. */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const { config, pending, logger, redactor, timing } = options
  let process = options.process
  let ending: ProcessEnding | undefined
  let closing: Promise<void> | undefined
  let noiseCount = 0
  let isOutputEnded = false
  const waitingLines: string[] = []
  /** Number of reasons to pause reading. */
  let holdCount = 0
  let reading: Promise<void> = Promise.resolve()
  const broken = Promise.withResolvers<void>()
  let remainingOutput: Promise<unknown> = Promise.resolve()

  const splitter = createLineSplitter({
    lineBytesMax: messageBytesMax,
    onLine: readLine,
    onOversized: (line) => readOversized(line, `is over ${shownSize(messageBytesMax)}`),
  })

  function readLine(line: string) {
    if (waitingLines.length === 0 && line.length <= shortLineChars) return readParsed(parseLine(line))
    waitingLines.push(line)
    if (waitingLines.length === 1) reading = readWaiting()
  }

  /** Parses long lines in slices. Later lines queue up to keep their order, and reading pauses meanwhile. */
  async function readWaiting() {
    hold()
    for (let line = waitingLines[0]; line !== undefined; line = waitingLines[0]) {
      const parsed = await parseLongLine(line)
      if (parsed.limit === undefined) readParsed(parsed)
      else refuseLong(line, parsed.limit)
      waitingLines.shift()
    }
    release()
  }

  function hold() {
    if (holdCount++ === 0) process?.child.stdout?.pause()
  }

  function release() {
    if (--holdCount === 0) process?.child.stdout?.resume()
  }

  function readParsed({ messages, noise }: ParsedLine) {
    if (noise !== undefined) readNoise(noise, messages.length > 0)
    for (const message of messages) transport.onmessage?.(message)
  }

  function readNoise(noise: string, recovered: boolean) {
    noiseCount++
    const shown = redactor.redact(stripHiddenLine(noise.slice(0, readNoiseLength))).slice(0, shownNoiseLength)
    if (noiseCount === 1) logger.warn(`MCP server ${config.name} writes to stdout what is not MCP`, { text: shown })
    else logger.debug(`MCP server ${config.name}: skipped output`, { count: noiseCount })
    // A truncated line means that the server is ending, which will be reported as the better reason.
    if (!recovered && !isOutputEnded)
      failAnswer(findAnswerId(noise.slice(0, 1_000), noise.slice(-1_000)), 'the answer is not valid JSON-RPC')
  }

  function refuseLong(line: string, limit: string) {
    const head = line.slice(0, endChars)
    if (!readOversized({ head, tail: undefined }, limit)) readOversized({ head, tail: line.slice(-endChars) }, limit)
  }

  /** Returns true if the request that the line answers was found. `limit` completes the sentence "the message …". */
  function readOversized({ head, tail }: OversizedLine, limit: string): boolean {
    if (tail === undefined) logger.warn(`MCP server ${config.name} sent a message that was dropped: it ${limit}`)
    const written = findAnswerId(head, tail ?? '')
    // An answer without an id at either end belongs to the only pending request.
    const isAnswer = tail !== undefined && head.startsWith('{"') && !head.includes('"method"')
    const id = written ?? (isAnswer ? String(pending.only()) : undefined)
    return failAnswer(id, `result too large: the message ${limit}`, 'mcp.result_too_large')
  }

  function failAnswer(writtenId: string | undefined, reason: string, code: ErrorCode = 'mcp.call_failed'): boolean {
    const id = writtenId === undefined ? undefined : pending.find(writtenId)
    if (id !== undefined) transport.onmessage?.(localFailure(id, code, reason))
    return id !== undefined
  }

  function watch(started: ChildProcess) {
    // The end of the process, which follows, explains more than a broken pipe.
    started.stdin?.on('error', () => setTimeout(broken.resolve, timing.lastWordsMs))
    const throttle = createThrottle(linesPerSecondMax)
    started.stdout
      ?.on('data', (chunk: Buffer) => {
        splitter.push(chunk)
        const waitMs = throttle(countNewlines(chunk))
        if (waitMs === 0) return
        hold()
        setTimeout(release, waitMs)
      })
      .on('error', () => {})
    const exited = () => {
      ending ??= { kind: 'exit', code: started.exitCode, signal: started.signalCode }
      broken.resolve()
      afterOutput(started, timing.lastWordsMs, () => void reading.then(() => transport.close()))
    }
    if (started.exitCode === null && started.signalCode === null) started.once('exit', exited)
    else {
      // The process ended before we listened. Its output is still in the pipes, unless a child process holds them open.
      ending ??= { kind: 'exit', code: started.exitCode, signal: started.signalCode }
      remainingOutput = Promise.race([once(started, 'close'), delay(timing.lastWordsMs)])
      void remainingOutput.then(exited)
    }
    started.stdout?.once('end', () => {
      isOutputEnded = true
      splitter.flush()
      setTimeout(() => {
        ending ??= { kind: 'output_closed' }
        void reading.then(() => transport.close())
      }, timing.lastWordsMs).unref()
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
    stderrLines: () => process?.stderr.lines(redactor) ?? [],
    async start() {
      process ??= startServerProcess(config, options.cwd, logger, timing)
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
  const timer = setTimeout(done, lastWordsMs)
  child.stdout.once('end', () => {
    clearTimeout(timer)
    done()
  })
}

function countNewlines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}
