/**
 * Resolves to the promise's value, or to the fallback as soon as the signal aborts. Work that ignores the signal cannot hold up its caller.
 */
export async function orAborted<T, F>(promise: Promise<T>, signal: AbortSignal, fallback: F): Promise<T | F> {
  if (signal.aborted) return fallback
  const { promise: aborted, resolve } = Promise.withResolvers<F>()
  const abort = () => resolve(fallback)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
