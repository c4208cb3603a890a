import { describe, expect, it } from 'vitest'
import { counted, formatBytes, formatDuration, formatRate } from '../../../packages/console/src/page/text/quantities.ts'

describe('quantities for a person', () => {
  it.each([
    [0, '<1 ms'],
    [0.4, '<1 ms'],
    [12.4, '12 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'],
    [1_250, '1.25 s'],
    [9_994, '9.99 s'],
    [12_340, '12.3 s'],
    [59_960, '1 min'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [11_520_000, '3 h 12 min'],
  ])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [12_000, '12 kB'],
    [999_600, '1 MB'],
    [5_250_000, '5.3 MB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it.each([
    [0, 0, '–'],
    [0, 10, '0%'],
    [1, 3, '33%'],
    [1, 40, '2.5%'],
    [1, 100_000, '<0.1%'],
    [7, 7, '100%'],
  ])('%d of %d is %s', (part, whole, text) => expect(formatRate(part, whole)).toBe(text))

  it('counts in the singular and the plural', () => {
    expect(counted(1, 'tool')).toBe('1 tool')
    expect(counted(2_000, 'tool')).toBe('2,000 tools')
  })
})
