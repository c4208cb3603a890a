import fs from 'node:fs'
import { constants } from 'node:os'
import { openDescriptorPoll } from './descriptor-poll.ts'
import type { UnreadSignals } from './unread-signals.ts'

/** Interval between checks. Long, because each check wakes a processor. */
const lookMs = 500
/** Counts ticks instead of measuring time. Time in which the process is suspended or the machine asleep must not count. */
const tickMs = 100
/** Time from the first sign of the end until the process is killed: if the main thread has started to end it, and if it has not reacted. */
const endMsMax = 4_700
const deafMsMax = 3_200
/** Maximum time for writing the reason. */
export const recordMsMax = 300

const exitSignals = new Set([constants.signals.SIGTERM, constants.signals.SIGINT, constants.signals.SIGHUP])

export interface EndWatch {
  /** Call when the main thread starts to end the process. */
  noteEnding(): void
}

export interface EndWatchOptions {
  /** The descriptors of the connection with the editor. */
  readonly input: number
  readonly output: number
  readonly signals: UnreadSignals
  readonly onOutputGone: () => void
  /** Called once if the process has not ended in time. */
  readonly onOverdue: (message: string) => void
}

/** Watches for signs that the process should end, and limits the time it may take. */
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
    else onOverdue(`ended by force: ${reason}, and ${isEnding ? 'the shutdown took too long' : 'the process did not react'}`)
  }

  function firstSign(): string | undefined {
    if (isOutputGone()) {
      onOutputGone()
      return 'the editor had closed the output'
    }
    if (inputPoll.isHungUp()) return 'the editor had closed the input'
    const signal = signals.look().find((number) => exitSignals.has(number))
    return signal === undefined ? undefined : `the process had received a signal to end (${nameOf(signal)})`
  }

  /**
   * A socket also counts as hung up if the other end merely stopped writing, as editors do on our output. An empty write tells the
   * difference.
   */
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
      reason ??= 'the shutdown had begun'
      clearTimeout(timer)
      timer = setTimeout(tick, tickMs)
    },
  }
}

function nameOf(signal: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0]
}
