import { expect, test } from 'vitest'
import { createListeners } from '../../../packages/agent-api/src/base/listeners.ts'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'

test('a listener that throws is logged, and the others are still called', () => {
  const errors: string[] = []
  const listeners = createListeners<[number]>('the test', {
    ...silentLogger,
    error: (message) => errors.push(message),
  })
  const heard: number[] = []
  listeners.add(() => {
    throw new Error('broken')
  })
  listeners.add((news) => heard.push(news))
  listeners.tell(1)
  expect(heard).toEqual([1])
  expect(errors).toEqual(['a listener to the test failed'])
})

test('the same listener may be added twice, and is removed once', () => {
  const listeners = createListeners<[string]>('the test', silentLogger)
  const heard: string[] = []
  const listener = (news: string) => heard.push(news)
  const stop = listeners.add(listener)
  listeners.add(listener)
  stop()
  stop()
  listeners.tell('a')
  expect(heard).toEqual(['a'])
  expect(listeners.size).toBe(1)
  listeners.clear()
  listeners.tell('b')
  expect(heard).toEqual(['a'])
})
