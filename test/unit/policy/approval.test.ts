import { describe, expect, it } from 'vitest'
import { decide, type ApprovalMode, type SessionGrant } from '../../../packages/agent-api/src/policy/approval.ts'

const ref = { server: 'files', tool: 'write_file' }
const allow: SessionGrant = { ref, verdict: 'allow' }
const deny: SessionGrant = { ref, verdict: 'deny' }

describe('decide', () => {
  it.each<[string, ApprovalMode, SessionGrant[], boolean, string, string]>([
    ['nothing said', 'always-ask', [], false, 'ask', 'mode:always-ask'],
    ['always allowed', 'always-ask', [allow], false, 'allow', 'grant:allow-always'],
    ['always rejected', 'always-ask', [deny], false, 'deny', 'grant:reject-always'],
    ['both said', 'always-ask', [allow, deny], false, 'deny', 'grant:reject-always'],
    ['auto', 'auto', [], false, 'allow', 'mode:auto'],
    ['auto, but rejected', 'auto', [deny], false, 'deny', 'grant:reject-always'],
    ['a question', 'always-ask', [], true, 'allow', 'question'],
    ['a question that was rejected', 'always-ask', [deny], true, 'deny', 'grant:reject-always'],
    ['another tool allowed', 'always-ask', [{ ref: { server: 'files', tool: 'read' }, verdict: 'allow' }], false, 'ask', 'mode:always-ask'],
    [
      'the same tool of another server allowed',
      'always-ask',
      [{ ref: { ...ref, server: 'other' }, verdict: 'allow' }],
      false,
      'ask',
      'mode:always-ask',
    ],
  ])('%s', (_, mode, grants, isQuestion, verdict, rule) => {
    expect(decide({ mode, grants }, { ref, isQuestion })).toEqual({ verdict, rule })
  })
})
