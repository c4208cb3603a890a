import { setTimeout as sleep } from 'node:timers/promises'

/** Delays work that is not urgent. It begins when the delay is over, or earlier on request. */
export interface HeadStart {
  readonly over: Promise<void>
  end(): void
}

export function createHeadStart(ms: number): HeadStart {
  const ended = new AbortController()
  const over = sleep(ms, undefined, { signal: ended.signal }).catch(() => undefined)
  return { over, end: () => ended.abort() }
}
