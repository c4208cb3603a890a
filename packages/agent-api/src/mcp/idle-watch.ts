interface IdleWatched {
  readonly idleMs: number
  /** By `performance.now()`. Undefined while it is in use. */
  readonly unusedSince: () => number | undefined
  readonly rest: () => void
}

const watched = new Set<IdleWatched>()
let timer: NodeJS.Timeout | undefined
let dueAt = Infinity

/**
 * Calls `rest` once when the connection has been unused for its time. All connections of the process share one timer, which is set only
 * while there are connections. Returns a function that stops watching.
 */
export function watchIdle(connection: IdleWatched): () => void {
  watched.add(connection)
  wait()
  return () => {
    watched.delete(connection)
    if (watched.size === 0) clear()
  }
}

/** Use moves the end of a connection, so the timer may be early. It is then set again. */
function wait(): void {
  const now = performance.now()
  const next = Math.min(...[...watched].map((connection) => endOf(connection, now)))
  if (next >= dueAt) return
  clear()
  dueAt = next
  timer = setTimeout(look, Math.max(0, Math.ceil(next - now))).unref()
}

function look(): void {
  clear()
  const now = performance.now()
  for (const connection of watched) {
    if (endOf(connection, now) > now) continue
    watched.delete(connection)
    connection.rest()
  }
  if (watched.size > 0) wait()
}

function endOf({ unusedSince, idleMs }: IdleWatched, now: number): number {
  return (unusedSince() ?? now) + idleMs
}

function clear(): void {
  clearTimeout(timer)
  dueAt = Infinity
}
