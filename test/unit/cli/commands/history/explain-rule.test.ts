import { expect, test } from 'vitest'
import { explainRule } from '../../../../../packages/cli/src/commands/history/explain-rule.ts'

test.each([
  [null, null, 'nothing was decided'],
  ['allow', null, 'nothing was decided'],
  ['allow', 'mode:auto', 'allowed: nothing is asked in this mode (mode:auto)'],
  ['allow', 'trusted:read-only', 'allowed: its trusted server says that it only reads (trusted:read-only)'],
  ['allow', 'trusted:web:*', 'allowed: trustedTools has web:* (trusted:web:*)'],
  ['deny', 'a rule of tomorrow', 'deny (a rule of tomorrow)'],
])('%s by %s', (decision, rule, expected) => {
  expect(explainRule(decision, rule)).toBe(expected)
})
