import fs from 'node:fs'
import { constants } from 'node:os'
import { openDescriptorPoll } from './descriptor-poll.ts'
import type { UnreadSignals } from './unread-signals.ts'

/** Each look wakes a processor, so there are few of them until the end begins. */
const lookMs = 500
/** Counted and not measured: time in which the whole process is stopped or the machine asleep is nobody's delay. */
const tickMs = 100
/** From the first sign of the end until the process is killed: when the main thread has begun to end, and when it has said nothing. */
const endMsMax = 4_700
const deafMsMax = 3_200
/** How long the reason may take to be written. */
export const recordMsMax = 300

const exitSignals = new Set([constants.signals.SIGTERM, constants.signals.SIGINT, constants.signals.SIGHUP])

export interface EndWatch {
  /** The main thread has begun to end the process. */
  noteEnding(): void
}

export interface EndWatchOptions {
  /** The descriptors over which the editor talks to this process. */
  readonly input: number
  readonly output: number
  readonly signals: UnreadSignals
  readonly onOutputGone: () => void
  /** The process has not ended in time. Called once. */
  readonly onOverdue: (message: string) => void
}

/** Looks for a sign that the process is to end, and gives it a limited time to do so. */
export function watchForEnd({ input, output, signals, onOutputGone, onOverdue }: EndWatchOptions): EndWatch {
  const inputPoll = openDescriptorPoll(input)
  const outputPoll = openDescriptorPoll(output)
  const isOutputSocket = fs.fstatSync(output).isSocket()

  let reason: string | undefined
  let ticks = 0
  let isEnding = false
  let timer = setTimeout(look, lookMs)

  function look(): void {
    reason = firstSign()
    timer = reason === undefined ? setTimeout(look, lookMs) : setTimeout(tick, tickMs)
  }

  function tick(): void {
    ticks++
    if (ticks * tickMs < (isEnding ? endMsMax - recordMsMax : deafMsMax)) timer = setTimeout(tick, tickMs)
    else onOverdue(`ended by force: ${reason}, and ${isEnding ? 'the end took too long' : 'the process did not react'}`)
  }

  function firstSign(): string | undefined {
    if (isOutputGone()) {
      onOutputGone()
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

  return {
    noteEnding() {
      isEnding = true
      reason ??= 'the end had begun'
      clearTimeout(timer)
      timer = setTimeout(tick, tickMs)
    },
  }
}

function nameOf(signal: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0]
}
