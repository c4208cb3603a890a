import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  describeDecision,
  explainRule,
  parseRule,
  textsOf,
  toText,
} from '../../../packages/agent-api/src/policy/decision-rule.ts'

/** Every text that the history stores, with its decision and the sentence for it. */
const stored = [
  ['allow', 'reads', 'Allowed: it only reads in the session’s directories'],
  ['allow', 'internal', 'Allowed: built into Ostler, has no side effects'],
  ['allow', 'effect:none', 'Allowed: it has no effect outside Ostler'],
  ['allow', 'mode:auto', 'Allowed: the approval mode is “Auto”'],
  ['deny', 'mode:read-only', 'Denied: the approval mode is “Read only”'],
  ['allow', 'tool:allow', 'Allowed: the tool is set to “Allow”'],
  ['deny', 'tool:deny', 'Denied: the tool is set to “Deny”'],
  ['allow', 'trusted:read-only', 'Allowed: its trusted server declares it read-only'],
  ['allow', 'trusted:files:*', 'Allowed: it matches the trusted tool files:*'],
  ['allow', 'grant:allow', 'You chose “Always allow”'],
  ['allow', 'grant:allow:session', 'You allowed it for the session'],
  ['allow', 'grant:command', 'You chose “Always allow” for this command'],
  ['allow', 'grant:command:session', 'You allowed this command for the session'],
  ['allow', 'grant:origin', 'You chose “Always allow” for pages of this host'],
  ['allow', 'grant:origin:session', 'You allowed pages of this host for the session'],
  ['allow', 'grant:folder', 'You allowed this folder for the session'],
  ['deny', 'grant:deny', 'You chose “Always reject”'],
  ['deny', 'grant:deny:session', 'You rejected it for the session'],
  ['allow', 'person:allow-once', 'You allowed it once'],
  ['allow', 'person:allow-session', 'You allowed it for the session'],
  ['allow', 'person:allow-always:console', 'You always allow it, in the console'],
  ['allow', 'person:allow-server', 'You always allow this server'],
  ['deny', 'person:deny-once', 'You rejected it'],
  ['deny', 'person:deny-session', 'You rejected it for the session'],
  ['deny', 'person:deny-always', 'You always reject it'],
  ['cancelled', 'person:cancelled', 'You closed the question without an answer'],
  ['allow', 'person:command', 'You called it on the command line'],
  ['allow', 'person:console', 'You called it in the console'],
  ['allow', 'answer:accepted', 'You answered'],
  ['allow', 'answer:accepted:console', 'You answered, in the console'],
  ['deny', 'answer:declined', 'You declined to answer'],
  ['cancelled', 'answer:cancelled:console', 'The question was closed without an answer, in the console'],
  ['allow', 'restore:unchanged', 'Allowed: you asked for it, and the file had not changed since'],
  ['deny', 'no-approver', 'Denied: nobody could be asked'],
  ['deny', 'call:outdated', 'Denied: it became impossible while another question was open'],
  ['cancelled', 'turn:cancelled', 'Cancelled: the turn was cancelled before a decision'],
  ['allow', 'a rule of tomorrow', 'Allowed: a rule of tomorrow'],
  ['deny', null, 'Denied'],
] as const

/** Why a call needs a question, or a tool is not offered. */
const shown = [
  ['outside', 'it works outside the session’s directories'],
  ['sensitive', 'files like this often contain secrets or can run other programs'],
  ['pin:changed', 'the tool has changed since it was approved'],
  ['tool:ask', 'the tool is set to “Ask”'],
  ['mode:always-ask', 'the approval mode is “Always ask”'],
  ['mode:trusted-only', 'the approval mode is “Trusted only”'],
  ['restore:changed', 'the file has changed since'],
  ['unknown', 'it is not a tool of this agent'],
  ['tools', 'it is switched off'],
  ['server:disabled', 'its server is disabled'],
  ['server:not-chosen', 'the agent does not use its server'],
  ['server:shadowed', 'the agent file has another server of this name'],
  ['server:strict', 'its server is strict, and the tool is not listed'],
  ['server:lists', 'toolAllowlist or toolDenylist of its server leaves it out'],
] as const

it.each(stored)('the decision %s by %s is "%s"', (decision, rule, words) =>
  expect(describeDecision(decision, rule)).toBe(words),
)

it.each(shown)('the rule %s means that %s', (text, words) => expect(explainRule(parseRule(text))).toBe(words))

it('every text is a rule of its own, and stays as it is', () => {
  const known = [...stored.map(([, text]) => text ?? 'reads'), ...shown.map(([text]) => text)]
  const words = fc.constantFrom(...known.flatMap((text) => text.split(':')), 'toString', '')
  const texts = fc.oneof(
    fc.constantFrom(...known),
    fc.array(words).map((all) => all.join(':')),
    fc.string(),
  )
  fc.assert(fc.property(texts, (text) => toText(parseRule(text)) === text))
  for (const text of known) expect(parseRule(text).by === 'other').toBe(text === 'a rule of tomorrow')
})

it('queries find all answers', () => {
  expect(textsOf('answer')).toEqual([
    'answer:accepted',
    'answer:accepted:console',
    'answer:declined',
    'answer:declined:console',
    'answer:cancelled',
    'answer:cancelled:console',
  ])
})
