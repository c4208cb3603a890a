import { onAbort } from './on-abort.ts'

/**
 * Resolves to the promise's value, or to the fallback as soon as the signal aborts. Work that ignores the signal cannot hold up its caller.
 */
export async function orAborted<T, F>(promise: Promise<T>, signal: AbortSignal, fallback: F): Promise<T | F> {
  // A promise that nobody waits for any more may still fail.
  promise.catch(() => undefined)
  if (signal.aborted) return fallback
  const { promise: aborted, resolve } = Promise.withResolvers<F>()
  using _aborting = onAbort(signal, () => resolve(fallback))
  return await Promise.race([promise, aborted])
}
