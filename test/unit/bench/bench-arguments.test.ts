import { expect, test } from 'vitest'
import { parseBenchArguments, usage } from '../../bench/bench-arguments.ts'

test('one option chooses what is measured, and names choose some of it', () => {
  expect(parseBenchArguments([])).toMatchObject({ mode: 'quick', names: [] })
  expect(parseBenchArguments(['--gate', '--write'])).toMatchObject({ mode: 'gate', write: true })
  expect(parseBenchArguments(['--peers', 'goose'])).toMatchObject({
    mode: 'peers',
    names: ['goose'],
    rounds: 5,
  })
  expect(parseBenchArguments(['--growth', '--calls', '2000'])).toMatchObject({ mode: 'growth', calls: 2_000 })
  expect(parseBenchArguments(['--growth', '--help']).mode).toBe('help')
})

test('the usage has every option, and a wrong option is refused', () => {
  for (const name of ['quick', 'gate', 'write', 'growth', 'calls', 'peers', 'rounds'])
    expect(usage).toContain(`--${name}`)
  expect(() => parseBenchArguments(['--grwth'])).toThrow("Unknown option '--grwth'")
})
