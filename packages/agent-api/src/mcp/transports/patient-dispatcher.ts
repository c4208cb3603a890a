type Dispatcher = NonNullable<RequestInit['dispatcher']>

/**
 * Removes the five-minute timeouts of Node's `fetch`: calls have their own, configurable timeouts. Keeps all other settings, such as a
 * proxy.
 */
export const patientDispatcher = {
  dispatch: (options, handler) => nodesDispatcher().dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
} as Pick<Dispatcher, 'dispatch'> as Dispatcher

/** The global dispatcher is only reachable through this symbol. `fetch` uses the one with the highest number. */
function nodesDispatcher(): Pick<Dispatcher, 'dispatch'> {
  const global = globalThis as unknown as Readonly<Record<symbol, Dispatcher | undefined>>
  const dispatcher = global[Symbol.for('undici.globalDispatcher.2')] ?? global[Symbol.for('undici.globalDispatcher.1')]
  if (dispatcher === undefined) throw new Error('fetch has no dispatcher')
  return dispatcher
}
