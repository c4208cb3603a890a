import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../packages/agent-api/src/config/duration.ts'

describe('parseDuration', () => {
  it.each<[string | number, number]>([
    ['PT30S', 30_000],
    ['P0DT0H0M30S', 30_000],
    ['P0DT0H1M0S', 60_000],
    ['PT1.5S', 1_500],
    ['P1DT2H', 93_600_000],
    ['P1W', 604_800_000],
    ['30s', 30_000],
    ['500ms', 500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1.5 s', 1_500],
    ['250', 250],
    [250, 250],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    ['P'],
    ['PT'],
    ['P1DT'],
    ['P1Y'],
    ['P1M'],
    ['30'.concat('x')],
    [''],
    ['-5s'],
    ['s'],
    ['PT30'],
    [Number.NaN],
    [Infinity],
  ])('refuses %s', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
