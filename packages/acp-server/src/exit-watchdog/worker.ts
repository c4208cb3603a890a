import fs from 'node:fs'
import { constants } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { toLogLine } from '../log-line.ts'
import { openDescriptorPoll } from './descriptor-poll.ts'
import type { ExitWatchdogData, FromWatchdog } from './start-exit-watchdog.ts'
import { openUnreadSignals } from './unread-signals.ts'

/** Each look wakes a processor, so there are few of them until the end begins. */
const lookMs = 500
/** Counted and not measured: time in which the whole process is stopped or the machine asleep is nobody's delay. */
const tickMs = 100
/** From the first sign of the end until the process is killed: when the main thread has begun to end, and when it has said nothing. */
const endMsMax = 4_700
const deafMsMax = 3_200
/** How long the reason may take to be written. */
const recordMsMax = 300

const input = 0
const output = 1
const exitSignals = new Set([constants.signals.SIGTERM, constants.signals.SIGINT, constants.signals.SIGHUP])
const { logFile, stateDir } = workerData as ExitWatchdogData

const inputPoll = openDescriptorPoll(input)
const outputPoll = openDescriptorPoll(output)
const signals = openUnreadSignals()
const isOutputSocket = fs.fstatSync(output).isSocket()

let reason: string | undefined
let ticks = 0
let isEnding = false

let timer = setTimeout(look, lookMs)

parentPort?.on('message', () => {
  isEnding = true
  reason ??= 'the end had begun'
  clearTimeout(timer)
  timer = setTimeout(tick, tickMs)
})

function look(): void {
  reason = firstSign()
  timer = reason === undefined ? setTimeout(look, lookMs) : setTimeout(tick, tickMs)
}

function tick(): void {
  ticks++
  if (ticks * tickMs >= (isEnding ? endMsMax - recordMsMax : deafMsMax)) void kill()
  else timer = setTimeout(tick, tickMs)
}

function firstSign(): string | undefined {
  if (isOutputGone()) {
    parentPort?.postMessage('output_gone' satisfies FromWatchdog, [])
    return 'the editor had closed the output'
  }
  if (inputPoll.isHungUp()) return 'the editor had closed the input'
  const signal = signals.look().find((number) => exitSignals.has(number))
  return signal === undefined ? undefined : `the process had been told to end (${nameOf(signal)})`
}

/** A socket is also hung up when its other end only writes no more, as an editor's end of our output never does. To write nothing tells. */
function isOutputGone(): boolean {
  if (!outputPoll.isHungUp()) return false
  if (!isOutputSocket) return true
  try {
    fs.writeSync(output, '')
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPIPE'
  }
}

function nameOf(signal: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? String(signal)
}

/** The servers are ended by their own watchdog. */
async function kill(): Promise<void> {
  setTimeout(killNow, recordMsMax)
  const message = `ended by force: ${reason}, and ${isEnding ? 'the end took too long' : 'the process did not react'}`
  say(() => logFile !== undefined && fs.appendFileSync(logFile, toLogLine('error', message)))
  // A pipe that is full would hold this up for ever.
  say(() => openDescriptorPoll(2).isWritable() && fs.writeSync(2, `ostler: ${message}\n`))
  if (stateDir !== undefined) {
    const { recordEnd } = await import('../record-end.ts')
    await recordEnd(stateDir, message).catch(() => undefined)
  }
  killNow()
}

function killNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

function say(words: () => unknown): void {
  try {
    words()
  } catch {
    // There is nobody to tell.
  }
}
