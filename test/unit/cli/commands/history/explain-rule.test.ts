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
  ['allow', 'grant:command', 'allowed: you chose "Always allow" for this command (grant:command)'],
  ['allow', 'grant:command:session', 'allowed: you allowed this command for the session (grant:command:session)'],
  ['allow', 'person:allow-session:console', 'you allowed it for the session, in the console (person:allow-session:console)'],
  ['allow', 'answer:accepted:console', 'you answered, in the console (answer:accepted:console)'],
  ['deny', 'call:outdated', 'denied: it became impossible while another question was open (call:outdated)'],
  ['allow', 'grant:folder', 'allowed: you allowed this folder for the session (grant:folder)'],
  ['deny', 'mode:read-only', 'denied: the mode is read-only (mode:read-only)'],
  ['deny', 'a rule of tomorrow', 'deny (a rule of tomorrow)'],
])('%s by %s', (decision, rule, expected) => {
  expect(explainRule(decision, rule)).toBe(expected)
})
