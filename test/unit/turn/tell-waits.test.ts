import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OstlerError } from '../../../packages/agent-api/src/base/errors.ts'
import { defaultTiming } from '../../../packages/agent-api/src/base/timing.ts'
import { createWaitTeller } from '../../../packages/agent-api/src/turn/tell-waits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openTeller() {
  let told = ''
  const ids = new Set<string>()
  const teller = createWaitTeller((event) => {
    if (event.type === 'thought') {
      told += event.text
      ids.add(event.messageId)
    }
    return Promise.resolve()
  }, defaultTiming.modelPatienceMs)
  const wait = (delayMs: number) =>
    teller.waits({ attempt: 1, delayMs, error: new OstlerError('model.failed', 'It is busy.') })
  return { teller, wait, ids, told: () => told }
}

test('a long wait is reported at once, and the remaining time every ten seconds', () => {
  const { wait, told, ids } = openTeller()
  wait(25_000)
  expect(told()).toBe('It is busy. Retrying in 25 s.')
  vi.advanceTimersByTime(25_000)
  expect(told()).toBe('It is busy. Retrying in 25 s.\nRetrying in 15 s.\nRetrying in 5 s.')
  expect(ids.size).toBe(1)
})

test('short waits are reported once they add up to two seconds', () => {
  const { wait, told } = openTeller()
  wait(1_000)
  vi.advanceTimersByTime(1_200)
  expect(told()).toBe('')
  wait(1_900)
  vi.advanceTimersByTime(800)
  expect(told()).toBe('It is busy. Retrying in 1 s.')
  vi.advanceTimersByTime(1_100)
  wait(1_000)
  expect(told()).toBe('It is busy. Retrying in 1 s.\nRetrying in 1 s.')
})

test('nothing is reported after the answer has begun', () => {
  const { teller, wait, told } = openTeller()
  wait(1_000)
  teller[Symbol.dispose]()
  vi.advanceTimersByTime(60_000)
  expect(told()).toBe('')
})
