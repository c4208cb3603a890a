/** Rejects the moment the signal does, or when nothing has come for so long; whatever it waited for is then the caller's to stop. */
export async function withWatchdog<T>(work: () => PromiseLike<T>, signal: AbortSignal, idleMs: number, stalled: () => Error): Promise<T> {
  // Before anything is begun: what nobody waits for would reject into the void.
  signal.throwIfAborted()
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(() => reject(stalled()), idleMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), interrupted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
