import { openHangupPoll } from './open-hangup-poll.ts'

/** Interval between checks while there is work. Long, because each check wakes a processor. */
const lookMs = 500
/** Without work, the main thread sees the end of its input itself. */
const restMs = 30_000
/** Counts ticks instead of measuring time. Time in which the process is suspended or the machine asleep must not count. */
const tickMs = 100
/** Time from the first sign of the end until the process is killed: if the main thread has started to end it, and if it has not reacted. */
const endMsMax = 4_700
const deafMsMax = 3_200
export const recordMsMax = 300

export interface EndWatch {
  /** Call when the main thread starts to end the process. */
  noteEnding(): void
  /** Call when the main thread gets work while the watchdog rests. */
  noteWork(): void
}

export interface EndWatchOptions {
  /** The descriptor from which the editor's messages are read. */
  readonly input: number
  /** True if `noteWork` will be called once the main thread has work. */
  readonly mayRest?: () => boolean
  /** Called once if the process has not ended in time. */
  readonly onOverdue: (message: string) => void
}

/** Watches for the end of the editor, and limits the time in which the process may end. */
export function watchForEnd({ input, mayRest = () => false, onOverdue }: EndWatchOptions): EndWatch {
  const isHungUp = openHangupPoll(input)
  let reason: string | undefined
  let ticks = 0
  let isEnding = false
  let timer = setTimeout(look, lookMs)

  function look(): void {
    if (isHungUp()) reason = 'the editor had closed the input'
    if (reason !== undefined) timer = setTimeout(tick, tickMs)
    else timer = setTimeout(look, mayRest() ? restMs : lookMs)
  }

  function tick(): void {
    ticks++
    if (ticks * tickMs < (isEnding ? endMsMax - recordMsMax : deafMsMax)) timer = setTimeout(tick, tickMs)
    else
      onOverdue(
        `ended by force: ${reason}, and ${isEnding ? 'the shutdown took too long' : 'the process did not react'}`,
      )
  }

  return {
    noteEnding() {
      isEnding = true
      reason ??= 'the shutdown had begun'
      clearTimeout(timer)
      timer = setTimeout(tick, tickMs)
    },
    noteWork() {
      if (reason !== undefined) return
      clearTimeout(timer)
      timer = setTimeout(look, lookMs)
    },
  }
}
