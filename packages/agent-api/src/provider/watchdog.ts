import { onAbort } from '../base/on-abort.ts'

/** Rejects when the signal aborts or when the work takes longer than `idleMs`. The caller must then stop the work. */
export async function withWatchdog<T>(work: () => PromiseLike<T>, signal: AbortSignal, idleMs: number, stalled: () => Error): Promise<T> {
  // Checked before the work starts: its rejection would otherwise be unhandled.
  signal.throwIfAborted()
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  using _aborting = onAbort(signal, () => reject(signal.reason))
  const timer = setTimeout(() => reject(stalled()), idleMs)
  try {
    return await Promise.race([work(), interrupted])
  } finally {
    clearTimeout(timer)
  }
}
