import { expect, test } from 'vitest'
import { explainRule } from '../../../../../packages/cli/src/commands/history/explain-rule.ts'

test.each([
  [null, null, 'not decided'],
  ['allow', null, 'not decided'],
  ['allow', 'mode:auto', 'allowed by the approval mode (mode:auto)'],
  ['allow', 'trusted:read-only', 'allowed: its trusted server declares it read-only (trusted:read-only)'],
  ['allow', 'trusted:web:*', 'allowed: trustedTools has web:* (trusted:web:*)'],
  ['allow', 'reads', "allowed: it only reads in the session's directories (reads)"],
  ['allow', 'effect:none', 'allowed: it has no effect outside Ostler (effect:none)'],
  ['allow', 'grant:command', 'allowed: you chose "Always allow" or "for this session" for this command (grant:command)'],
  ['allow', 'grant:folder', 'allowed: you allowed this folder for the session (grant:folder)'],
  ['deny', 'mode:read-only', 'denied: the mode is read-only (mode:read-only)'],
  ['deny', 'a rule of tomorrow', 'deny (a rule of tomorrow)'],
])('%s by %s', (decision, rule, expected) => {
  expect(explainRule(decision, rule)).toBe(expected)
})
