/** The fallback counts as soon as the signal aborts: work that ignores the signal cannot hold up its caller. */
export async function orAborted<T, F>(promise: Promise<T>, signal: AbortSignal, fallback: F): Promise<T | F> {
  // A promise that nobody waits for any more may still fail.
  promise.catch(() => undefined)
  if (signal.aborted) return fallback
  const { promise: aborted, resolve } = Promise.withResolvers<F>()
  using _aborting = onAbort(signal, () => resolve(fallback))
  return await Promise.race([promise, aborted])
}

export async function atMost<T, F>(ms: number, promise: Promise<T>, fallback: F): Promise<T | F> {
  const late = Promise.withResolvers<F>()
  const timer = setTimeout(() => late.resolve(fallback), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** `using _ = onAbort(signal, stop)` listens until the end of the scope. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  signal.addEventListener('abort', listener, { once: true })
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) }
}
