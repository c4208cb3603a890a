import { expect, it } from 'vitest'
import { counted, formatBytes, formatDuration } from '../../../packages/agent-api/src/base/quantities.ts'

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
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1,023 bytes'],
  [1_024, '1 KiB'],
  [1_536, '1.5 KiB'],
  [12_000, '12 KiB'],
  [1_048_000, '1023 KiB'],
  [1_048_570, '1 MiB'],
  [5_500_000, '5.2 MiB'],
  [200 * 1_048_576, '200 MiB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

it('counts in the singular and the plural', () => {
  expect(counted(1, 'tool')).toBe('1 tool')
  expect(counted(2_000, 'tool')).toBe('2,000 tools')
  expect(counted(2, 'entry', 'entries')).toBe('2 entries')
})
