type Dispatcher = NonNullable<RequestInit['dispatcher']>

/**
 * Node's `fetch` gives up when a server is silent for five minutes. A call may be configured to wait longer, and has a clock of its own.
 * Everything else, a proxy included, stays as Node has it.
 */
export const patientDispatcher = {
  dispatch: (options, handler) => nodesDispatcher().dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
} as Pick<Dispatcher, 'dispatch'> as Dispatcher

/** Only reachable under this symbol. The number is that of the interface `fetch` itself uses, so the highest one is right. */
function nodesDispatcher(): Pick<Dispatcher, 'dispatch'> {
  const global = globalThis as unknown as Readonly<Record<symbol, Dispatcher | undefined>>
  const dispatcher = global[Symbol.for('undici.globalDispatcher.2')] ?? global[Symbol.for('undici.globalDispatcher.1')]
  if (dispatcher === undefined) throw new Error('fetch has no dispatcher')
  return dispatcher
}
