const soonMs = 50
const factor = 100
/** Node takes longer ones for 1 ms. */
const timerMsMax = 2 ** 31 - 1

/**
 * Keeps what a process does from time to time out of what is counted until an answer, however slow the machine is. Loads nothing. Short
 * timers, for which an answer may wait, stay as they are.
 */
export function slowClock() {
  for (const name of ['setTimeout', 'setInterval']) {
    const set = globalThis[name]
    globalThis[name] = Object.assign(
      (callback, ms = 0, ...rest) =>
        set(callback, ms < soonMs ? ms : Math.min(ms * factor, timerMsMax), ...rest),
      set,
    )
  }
}
