import { expect, test } from 'vitest'
import { explainRule } from '../../../../../packages/cli/src/commands/history/explain-rule.ts'

test.each([
  [null, null, 'not decided'],
  ['allow', null, 'not decided'],
  ['allow', 'mode:auto', 'allowed by the approval mode (mode:auto)'],
  ['allow', 'trusted:read-only', 'allowed: its trusted server declares it read-only (trusted:read-only)'],
  ['allow', 'trusted:web:*', 'allowed: trustedTools has web:* (trusted:web:*)'],
  ['deny', 'a rule of tomorrow', 'deny (a rule of tomorrow)'],
])('%s by %s', (decision, rule, expected) => {
  expect(explainRule(decision, rule)).toBe(expected)
})
