/** Calls the listener if the signal aborts before the end of the scope: `using _ = onAbort(signal, stop)`. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  signal.addEventListener('abort', listener, { once: true })
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) }
}
