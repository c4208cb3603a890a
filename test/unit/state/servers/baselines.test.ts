import { expect, it } from 'vitest'
import { createBaselines } from '../../../../packages/agent-api/src/state/servers/baselines.ts'

const read = (baseline: string | undefined) => () => baseline && ({ baseline } as never)
const openBaselines = (baseline?: string) =>
  createBaselines({ read: read(baseline) as never, write: () => undefined }, 'default')

it('only a baseline that is not there is a first sight', () => {
  expect(openBaselines().find('id')).toBeUndefined()
  for (const text of ['{', '{}', '{"accepted":{"tool:do":"x"},"refused":{}}'])
    expect(() => openBaselines(text).find('id')).toThrow(/expected/)
})
