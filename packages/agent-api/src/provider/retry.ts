import { parseRetryAfter } from '../http/retry-after.ts'
import type { Failure } from './failure.ts'

export interface RetryLimits {
  readonly retriesMax: number
  readonly retryDelayMs: number
  /** Limit on the sum of all waits for one answer. */
  readonly retryWaitMaxMs: number
}

/**
 * True if another attempt may succeed: the vendor is busy, down or unreachable. A used-up quota is also a 429, but does not recover soon.
 * Google calls both a quota, but gives a time for the next attempt only if the quota recovers.
 */
export function isRetryable({ status, text, isConnection, retryAfterMs, isDailyQuota }: Failure): boolean {
  if (status === undefined) return isConnection || /overloaded/i.test(text)
  if (status !== 429) return status === 408 || status >= 500
  if (isDailyQuota) return false
  return (
    retryAfterMs !== undefined ||
    !/insufficient_quota|exceeded your current quota|billing|request too large/i.test(text)
  )
}

/**
 * Waits as long as the vendor asks, otherwise with exponential backoff. Randomized, so that clients that failed together do not retry
 * together.
 */
export function retryDelay(
  attempt: number,
  failure: Failure,
  limits: RetryLimits,
  now = Date.now(),
  random = Math.random(),
): number {
  const asked = askedDelay(failure, now)
  const delay =
    asked === undefined
      ? limits.retryDelayMs * 2 ** attempt * (0.5 + random / 2)
      : asked + limits.retryDelayMs * random * 0.1
  return Math.min(delay, limits.retryWaitMaxMs)
}

export function askedDelay(
  { headers, retryAfterMs }: Pick<Failure, 'headers' | 'retryAfterMs'>,
  now = Date.now(),
): number | undefined {
  return retryAfter(headers, now) ?? retryAfterMs
}

/** Seconds or a date. OpenAI also sends milliseconds. */
function retryAfter(headers: Failure['headers'], now: number): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (milliseconds >= 0) return milliseconds
  return parseRetryAfter(headers['retry-after'], now)
}
