import { expect, it } from 'vitest'
import { formatRate } from '../../../packages/console/src/page/text/quantities.ts'

it.each([
  [0, 0, '–'],
  [0, 10, '0%'],
  [1, 3, '33%'],
  [1, 40, '2.5%'],
  [1, 100_000, '<0.1%'],
  [7, 7, '100%'],
])('%d of %d is %s', (part, whole, text) => expect(formatRate(part, whole)).toBe(text))
