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
  /** By this and `pid` the SDK tells a pipe from a network. The stream itself is ours. */
  readonly stderr: null
  /** How the server ended, once it has. */
  readonly ending: ProcessEnding | undefined
  /** Resolves when `ending` is there, or a moment after the input broke without it. */
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
  /** One that is running already. */
  readonly process?: ServerProcess
  readonly timing: Timing
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly redactor: Redactor
}

/** A server that talks faster than this is made to wait for the next second: it may not have all of our time. */
const linesPerSecondMax = 5_000
const shownNoiseLength = 200
const readNoiseLength = 4_000
/** A longer line takes long enough to parse to be worth a slice. */
const shortLineChars = 256 * 1024
/** Enough to find the id of an answer, which stands at its start or at its end. */
const endChars = 4 * 1024

/** Speaks JSON-RPC over the input and output of a server, a message a line, and ends it when it is closed. */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const { config, pending, logger, redactor, timing } = options
  let process = options.process
  let ending: ProcessEnding | undefined
  let closing: Promise<void> | undefined
  let noiseCount = 0
  let isOutputEnded = false
  const waitingLines: string[] = []
  /** Reasons for which the server has to wait now. */
  let holds = 0
  let reading: Promise<void> = Promise.resolve()
  const broken = Promise.withResolvers<void>()
  let lastWords: Promise<unknown> = Promise.resolve()

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

  /** A long line is parsed in slices. Those after it wait, so that all come in their order, and the server waits with them. */
  async function readWaiting() {
    hold()
    for (let line = waitingLines[0]; line !== undefined; line = waitingLines[0]) {
      const parsed = await parseLongLine(line)
      if (parsed.limit === undefined) readParsed(parsed)
      else refuseLong(line, parsed.limit)
      waitingLines.shift()
    }
    letGo()
  }

  function hold() {
    if (holds++ === 0) process?.child.stdout?.pause()
  }

  function letGo() {
    if (--holds === 0) process?.child.stdout?.resume()
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
    // A line that was broken off is the end of the server, which is a better reason and about to come.
    if (!recovered && !isOutputEnded)
      failAnswer(findAnswerId(noise.slice(0, 1_000), noise.slice(-1_000)), 'the answer is not valid JSON-RPC')
  }

  function refuseLong(line: string, limit: string) {
    const head = line.slice(0, endChars)
    if (!readOversized({ head, tail: undefined }, limit)) readOversized({ head, tail: line.slice(-endChars) }, limit)
  }

  /** True when the request is known that the line should have answered. `limit` completes the sentence "the message …". */
  function readOversized({ head, tail }: OversizedLine, limit: string): boolean {
    if (tail === undefined) logger.warn(`MCP server ${config.name} sent a message that was dropped: it ${limit}`)
    const written = findAnswerId(head, tail ?? '')
    // An answer without an id at either end is that of the only request there is.
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
    // A pipe that breaks is no news: the end of the process tells more, and is about to come.
    started.stdin?.on('error', () => setTimeout(broken.resolve, timing.lastWordsMs))
    const throttle = createThrottle(linesPerSecondMax)
    started.stdout
      ?.on('data', (chunk: Buffer) => {
        splitter.push(chunk)
        const waitMs = throttle(countNewlines(chunk))
        if (waitMs === 0) return
        hold()
        setTimeout(letGo, waitMs)
      })
      .on('error', () => {})
    const exited = () => {
      ending ??= { kind: 'exit', code: started.exitCode, signal: started.signalCode }
      broken.resolve()
      afterLastWords(started, timing.lastWordsMs, () => void reading.then(() => transport.close()))
    }
    if (started.exitCode === null && started.signalCode === null) started.once('exit', exited)
    else {
      // It has ended before anyone listened; what it said is still in its pipes, unless something it left behind holds them open.
      ending ??= { kind: 'exit', code: started.exitCode, signal: started.signalCode }
      lastWords = Promise.race([once(started, 'close'), delay(timing.lastWordsMs)])
      void lastWords.then(exited)
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
    // First of all, so that whoever waits for an answer learns at once that none will come.
    transport.onclose?.()
    await lastWords
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
      // Set before `end` runs, because closing is told to those who close in turn.
      closing ??= Promise.resolve().then(() => end(how))
      return closing
    },
  }
  return transport
}

/** Calls back when the output of a process that has ended is read, or is held open by something it left behind. */
function afterLastWords(child: ChildProcess, lastWordsMs: number, done: () => void) {
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
