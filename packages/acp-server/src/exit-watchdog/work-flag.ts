/** Whether the main thread has work, in memory that it shares with the thread of the watchdog. Only a thread that rests needs a message. */
export type WorkFlag = Int32Array<SharedArrayBuffer>

const [idle, busy, resting] = [0, 1, 2]

export function createWorkFlag(): WorkFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** For the main thread. True if the watchdog rests, and has to be told that there is work. */
export function setBusy(flag: WorkFlag, isBusy: boolean): boolean {
  if (isBusy) return Atomics.exchange(flag, 0, busy) === resting
  Atomics.compareExchange(flag, 0, busy, idle)
  return false
}

/** For the watchdog. If true, the main thread will tell it of work. */
export function mayRest(flag: WorkFlag): boolean {
  return Atomics.compareExchange(flag, 0, idle, resting) !== busy
}
