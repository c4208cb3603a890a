import { expect, it } from 'vitest'
import { describeDecision } from '../../../packages/console/src/page/pages/calls/call-words.ts'
import { describeEnd } from '../../../packages/console/src/page/text/call-status.ts'

it.each([
  ['allow', 'person:allow-once', 'You allowed it once'],
  ['allow', 'person:allow-always:console', 'You always allow it, in the console'],
  ['deny', 'person:deny-once', 'You rejected it'],
  ['cancelled', 'person:cancelled', 'You closed the question without an answer'],
  ['allow', 'grant:allow', 'You chose “Always allow”'],
  ['allow', 'grant:allow:session', 'You allowed it for the session'],
  ['allow', 'grant:origin:session', 'You allowed pages of this host for the session'],
  ['deny', 'grant:deny:session', 'You rejected it for the session'],
  ['allow', 'mode:auto', 'Allowed: the approval mode is “Auto”'],
  ['deny', 'tool:deny', 'Denied: the tool is set to “Deny”'],
  ['deny', 'no-approver', 'Denied: nobody could be asked'],
  ['deny', 'call:outdated', 'Denied: it became impossible while another question was open'],
  ['cancelled', 'turn:cancelled', 'Cancelled: the turn was cancelled before a decision'],
  ['allow', 'answer:accepted:console', 'You answered, in the console'],
  ['deny', 'answer:declined', 'You declined to answer'],
  ['deny', null, 'Denied'],
  ['allow', 'a rule of tomorrow', 'Allowed: a rule of tomorrow'],
])('the decision %s by %s is "%s"', (decision, rule, words) => expect(describeDecision(decision, rule)).toBe(words))

it('the end of a call has the words of its status', () => {
  expect((['success', 'error', 'invalid', 'unknown', 'interrupted'] as const).map(describeEnd)).toEqual([
    'Succeeded',
    'Failed',
    'Failed',
    'Failed',
    'Interrupted',
  ])
})
