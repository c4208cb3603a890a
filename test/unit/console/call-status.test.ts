import { expect, it } from 'vitest'
import { describeEnd } from '../../../packages/console/src/page/text/call-status.ts'

it('the end of a call has the words of its status', () => {
  expect((['success', 'error', 'invalid', 'unknown', 'interrupted'] as const).map(describeEnd)).toEqual([
    'Succeeded',
    'Failed',
    'Failed',
    'Failed',
    'Interrupted',
  ])
})
