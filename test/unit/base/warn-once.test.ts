import { expect, test } from 'vitest'
import { createWarnOnce } from '../../../packages/agent-api/src/base/logger.ts'

test('a message is logged once, up to a hundred different ones', () => {
  const logged: string[] = []
  const silent = () => undefined
  const warnOnce = createWarnOnce({
    error: silent,
    warn: (message) => void logged.push(message),
    info: silent,
    debug: silent,
  })
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < 150; index++) warnOnce(`message ${index}`)
  expect(logged).toEqual(Array.from({ length: 100 }, (_, index) => `message ${index}`))
})
