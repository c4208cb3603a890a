import { describe, expect, it } from 'vitest'
import {
  decide,
  loosening,
  type ApprovalMode,
  type ApprovalRules,
  type CallFacts,
  type Grant,
} from '../../../packages/agent-api/src/policy/approval.ts'
import type { Pin } from '../../../packages/agent-api/src/policy/pin.ts'

const ref = { server: 'files', tool: 'write_file' }
const pin: Pin = { definition: 'd1', identity: 'i1', parts: { description: 'a', command: 'b' } }
const otherPin: Pin = { definition: 'd2', identity: 'i2', parts: { description: 'A', command: 'B' } }

const grant = (verdict: Grant['verdict'], over: Partial<Grant> = {}): Grant => ({ ref, verdict, scope: 'always', pin, ...over })
const facts = (over: Partial<CallFacts> = {}): CallFacts => ({ ref, pin, isInternal: false, isTrustedRead: false, ...over })
const rules = (over: Partial<ApprovalRules> = {}): ApprovalRules => ({ mode: 'always-ask', trustedTools: [], grants: [], ...over })

describe('decide', () => {
  it.each<[string, Partial<ApprovalRules>, Partial<CallFacts>, string, string]>([
    ['nothing said', {}, {}, 'ask', 'mode:always-ask'],

    ['the file forbids it', { mode: 'auto', grants: [grant('allow')] }, { approval: 'deny' }, 'deny', 'tool:deny'],
    ['the person forbade it', { mode: 'auto', grants: [grant('allow'), grant('deny')] }, { approval: 'allow' }, 'deny', 'grant:deny'],
    [
      'the person forbade it, and it has changed since',
      { mode: 'auto', grants: [grant('deny', { pin: otherPin })] },
      {},
      'deny',
      'grant:deny',
    ],
    ['Ostler’s own', {}, { isInternal: true }, 'allow', 'internal'],
    ['Ostler’s own, forbidden', {}, { isInternal: true, approval: 'deny' }, 'deny', 'tool:deny'],

    ['allowed for good, and it has changed since', { mode: 'auto', grants: [grant('allow', { pin: otherPin })] }, {}, 'ask', 'pin:changed'],
    ['another server behind the same name', { grants: [grant('allow', { pin: { ...pin, identity: 'i2' } })] }, {}, 'ask', 'pin:changed'],
    ['allowed again after the change', { grants: [grant('allow', { pin: otherPin }), grant('allow')] }, {}, 'allow', 'grant:allow'],

    ['the file says ask', { mode: 'auto', grants: [grant('allow')] }, { approval: 'ask' }, 'ask', 'tool:ask'],
    ['auto', { mode: 'auto' }, {}, 'allow', 'mode:auto'],
    ['allowed for good', { grants: [grant('allow')] }, {}, 'allow', 'grant:allow'],
    ['the file says allow', {}, { approval: 'allow' }, 'allow', 'tool:allow'],

    ['another tool allowed', { grants: [grant('allow', { ref: { ...ref, tool: 'read' } })] }, {}, 'ask', 'mode:always-ask'],
    [
      'the same name on another server allowed',
      { grants: [grant('allow', { ref: { ...ref, server: 'other' } })] },
      {},
      'ask',
      'mode:always-ask',
    ],

    ['trusted, but always asked', { trustedTools: ['files:*'] }, { isTrustedRead: true }, 'ask', 'mode:always-ask'],
    ['trusted by name', { mode: 'trusted-only', trustedTools: ['files:write_file'] }, {}, 'allow', 'trusted:files:write_file'],
    ['trusted with its server', { mode: 'trusted-only', trustedTools: ['files:*'] }, {}, 'allow', 'trusted:files:*'],
    ['trusted by its bare name', { mode: 'trusted-only', trustedTools: ['write_file'] }, {}, 'allow', 'trusted:write_file'],
    ['not trusted', { mode: 'trusted-only', trustedTools: ['other:*', 'files:read', 'file'] }, {}, 'ask', 'mode:trusted-only'],
    ['a star alone trusts nothing', { mode: 'trusted-only', trustedTools: ['*', ':*'] }, {}, 'ask', 'mode:trusted-only'],
    ['reads only, says a trusted server', { mode: 'trusted-only' }, { isTrustedRead: true }, 'allow', 'trusted:read-only'],
  ])('%s', (_, ruled, called, verdict, rule) => {
    expect(decide(rules(ruled), facts(called))).toMatchObject({ verdict, rule })
  })

  it('reports the changes', () => {
    const decision = decide(rules({ grants: [grant('allow', { pin: otherPin })] }), facts())
    expect(decision).toMatchObject({ changes: ['its description', "its server's command"] })
  })
})

describe('loosening', () => {
  const approval = (mode: ApprovalMode, ...trustedTools: string[]) => ({ mode, trustedTools })
  it.each([
    [approval('always-ask'), approval('auto'), 'the mode is auto, and was always-ask'],
    [approval('always-ask'), approval('trusted-only', 'a:b'), 'the mode is trusted-only, and was always-ask'],
    [approval('trusted-only', 'a:b'), approval('trusted-only', 'a:b', 'c:*'), 'c:* is trusted'],
    [approval('trusted-only', 'a:b'), approval('trusted-only'), undefined],
    [approval('always-ask'), approval('always-ask', 'a:b'), undefined],
    [approval('auto'), approval('trusted-only', 'a:b'), undefined],
    [approval('trusted-only'), approval('always-ask'), undefined],
  ])('%j to %j', (before, now, change) => expect(loosening(before, now)).toBe(change))
})
