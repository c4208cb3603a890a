import { setTimeout as sleep } from 'node:timers/promises'

/** Holds back work that is not urgent. It begins when the time is over, or when it is wanted. */
export interface HeadStart {
  readonly over: Promise<void>
  end(): void
}

export function createHeadStart(ms: number): HeadStart {
  const ended = new AbortController()
  const over = sleep(ms, undefined, { signal: ended.signal }).catch(() => undefined)
  return { over, end: () => ended.abort() }
}
