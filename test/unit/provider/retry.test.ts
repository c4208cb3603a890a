import { expect, test } from 'vitest'
import { isRetryable, retryDelay } from '../../../packages/agent-api/src/provider/retry.ts'

const limits = { retriesMax: 3, retryDelayMs: 1_000, retryWaitMaxMs: 60_000 }
const now = Date.parse('2026-11-18T12:00:00Z')
const failure = (headers: Record<string, string> = {}) => ({ text: '', isConnection: false, headers })

test.each<[string, number, Record<string, string>, number, number]>([
  ['the first, at its shortest', 0, {}, 0, 500],
  ['the first, at its longest', 0, {}, 1, 1_000],
  ['the third', 2, {}, 1, 4_000],
  ['seconds that were asked for', 0, { 'retry-after': '7' }, 0, 7_000],
  ['a little longer than asked for, never shorter', 0, { 'retry-after': '7' }, 1, 7_100],
  ['a date', 0, { 'retry-after': 'Wed, 18 Nov 2026 12:00:09 GMT' }, 0, 9_000],
  ['a date that has passed', 0, { 'retry-after': 'Wed, 18 Nov 2026 11:00:00 GMT' }, 0, 0],
  ['milliseconds', 0, { 'retry-after-ms': '250', 'retry-after': '1' }, 0, 250],
  ['an hour is a minute', 0, { 'retry-after': '3600' }, 1, 60_000],
  ['nonsense', 0, { 'retry-after': 'soon' }, 1, 1_000],
])('the wait: %s', (_, attempt, headers, random, expected) => {
  expect(retryDelay(attempt, failure(headers), limits, now, random)).toBe(expected)
})

test.each([
  [408, '', true],
  [429, 'slow down', true],
  [429, 'insufficient_quota', false],
  [500, '', true],
  [503, '', true],
  [529, '', true],
  [400, '', false],
  [401, '', false],
  [404, '', false],
])('%i (%s) is worth a retry: %s', (status, text, expected) => {
  expect(isRetryable({ status, text, headers: {}, isConnection: false })).toBe(expected)
})

test.each([
  ['per minute', { retryAfterMs: 30_000 }, true],
  ['per day, although it says when to try again', { retryAfterMs: 30_000, isDailyQuota: true }, false],
  ['that tells nothing', {}, false],
])("Google's quota %s", (_, wait, expected) => {
  const text = 'You exceeded your current quota, please check your plan and billing details.'
  expect(isRetryable({ status: 429, text, headers: {}, isConnection: false, ...wait })).toBe(expected)
})
