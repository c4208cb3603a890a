import type { ApprovalMode } from '../../../packages/agent-api/src/policy/approval-mode.ts'
import { parseRule } from '../../../packages/agent-api/src/policy/decision-rule.ts'
import { describe, expect, it } from 'vitest'
import {
  decide,
  lastingOf,
  loosening,
  type Approval,
  type ApprovalRules,
  type CallFacts,
  type Grant,
  type Lasting,
  type PlanFacts,
} from '../../../packages/agent-api/src/policy/approval.ts'
import type { Pin } from '../../../packages/agent-api/src/policy/always-allow/definition-pin.ts'

const ref = { server: 'files', tool: 'write_file' }
const pin: Pin = { definition: 'd1', identity: 'i1', parts: { description: 'a', command: 'b' } }
const otherPin: Pin = { definition: 'd2', identity: 'i2', parts: { description: 'A', command: 'B' } }

const grant = (verdict: Grant['verdict'], over: Partial<Grant> = {}): Grant => ({
  ref,
  verdict,
  scope: 'always',
  pin,
  ...over,
})
const facts = (over: Partial<CallFacts> = {}): CallFacts => ({
  ref,
  pin,
  isInternal: false,
  isTrustedRead: false,
  ...over,
})
const rules = (over: Partial<ApprovalRules> = {}): ApprovalRules => ({
  mode: 'always-ask',
  trustedTools: [],
  reads: 'allow',
  grants: [],
  ...over,
})

describe('decide', () => {
  it.each<[string, Partial<ApprovalRules>, Partial<CallFacts>, string, string]>([
    ['nothing said', {}, {}, 'ask', 'mode:always-ask'],

    [
      'the file forbids it',
      { mode: 'auto', grants: [grant('allow')] },
      { approval: 'deny' },
      'deny',
      'tool:deny',
    ],
    [
      'the person forbade it',
      { mode: 'auto', grants: [grant('allow'), grant('deny')] },
      { approval: 'allow' },
      'deny',
      'grant:deny',
    ],
    [
      'the person forbade it, and it has changed since',
      { mode: 'auto', grants: [grant('deny', { pin: otherPin })] },
      {},
      'deny',
      'grant:deny',
    ],
    ['Ostler’s own', {}, { isInternal: true }, 'allow', 'internal'],
    ['switched off, and allowed', { mode: 'auto' }, { isOff: true, approval: 'allow' }, 'deny', 'tools'],
    ['Ostler’s own, forbidden', {}, { isInternal: true, approval: 'deny' }, 'deny', 'tool:deny'],

    [
      'allowed for good, and it has changed since',
      { mode: 'auto', grants: [grant('allow', { pin: otherPin })] },
      {},
      'ask',
      'pin:changed',
    ],
    [
      'another server behind the same name',
      { grants: [grant('allow', { pin: { ...pin, identity: 'i2' } })] },
      {},
      'ask',
      'pin:changed',
    ],
    [
      'allowed again after the change',
      { grants: [grant('allow', { pin: otherPin }), grant('allow')] },
      {},
      'allow',
      'grant:allow',
    ],

    ['the file says ask', { mode: 'auto', grants: [grant('allow')] }, { approval: 'ask' }, 'ask', 'tool:ask'],
    ['auto', { mode: 'auto' }, {}, 'allow', 'mode:auto'],
    ['fenced', { mode: 'fenced' }, {}, 'ask', 'mode:fenced'],
    ['allowed for good', { grants: [grant('allow')] }, {}, 'allow', 'grant:allow'],
    [
      'allowed for the session',
      { grants: [grant('allow', { scope: 'session' })] },
      {},
      'allow',
      'grant:allow:session',
    ],
    [
      'allowed for the session and for good',
      { grants: [grant('allow', { scope: 'session' }), grant('allow')] },
      {},
      'allow',
      'grant:allow',
    ],
    [
      'rejected for the session',
      { grants: [grant('deny', { scope: 'session' })] },
      {},
      'deny',
      'grant:deny:session',
    ],
    ['the file says allow', {}, { approval: 'allow' }, 'allow', 'tool:allow'],

    [
      'another tool allowed',
      { grants: [grant('allow', { ref: { ...ref, tool: 'read' } })] },
      {},
      'ask',
      'mode:always-ask',
    ],
    [
      'the same name on another server allowed',
      { grants: [grant('allow', { ref: { ...ref, server: 'other' } })] },
      {},
      'ask',
      'mode:always-ask',
    ],

    [
      'trusted, but always asked',
      { trustedTools: ['files:*'] },
      { isTrustedRead: true },
      'ask',
      'mode:always-ask',
    ],
    [
      'trusted by name',
      { mode: 'trusted-only', trustedTools: ['files:write_file'] },
      {},
      'allow',
      'trusted:files:write_file',
    ],
    [
      'trusted with its server',
      { mode: 'trusted-only', trustedTools: ['files:*'] },
      {},
      'allow',
      'trusted:files:*',
    ],
    [
      'trusted by its bare name',
      { mode: 'trusted-only', trustedTools: ['write_file'] },
      {},
      'allow',
      'trusted:write_file',
    ],
    [
      'not trusted',
      { mode: 'trusted-only', trustedTools: ['other:*', 'files:read', 'file'] },
      {},
      'ask',
      'mode:trusted-only',
    ],
    [
      'a star alone trusts nothing',
      { mode: 'trusted-only', trustedTools: ['*', ':*'] },
      {},
      'ask',
      'mode:trusted-only',
    ],
    [
      'reads only, says a trusted server',
      { mode: 'trusted-only' },
      { isTrustedRead: true },
      'allow',
      'trusted:read-only',
    ],
    ['reads only, says a server that nobody trusts', { mode: 'read-only' }, {}, 'deny', 'mode:read-only'],
  ])('%s', (_, ruled, called, verdict, rule) => {
    expect(decide(rules(ruled), facts(called))).toMatchObject({ verdict, rule: parseRule(rule) })
  })

  const local = { server: null, tool: 'a_tool' }
  const ofLocal = (over: Partial<Grant> = {}) => grant('allow', { ref: local, ...over })
  const read = { effect: 'read' } as const
  const write = { effect: 'write' } as const
  const run = (line: string, cwd = '/p'): PlanFacts => ({ effect: 'run', command: { line, cwd } })
  const make = run('make')
  const held = { ...make, fence: { by: 'bubblewrap', network: 'none' } } as const
  const npmTest = ofLocal({ command: { words: ['npm', 'test'], isExact: true, cwd: '/p' } })
  const page = (origin: string): PlanFacts => ({ effect: 'fetch', origin })
  const ofHost = ofLocal({ origin: 'https://a.org' })
  const inEtc = { effect: 'read', outside: ['/etc/ssl/a'], outsideFolder: '/etc/ssl' } as const

  it.each<[string, Partial<ApprovalRules>, PlanFacts, Partial<CallFacts>, string, string]>([
    ['reading, always-ask', {}, read, {}, 'allow', 'reads'],
    ['reading, read-only', { mode: 'read-only' }, read, {}, 'allow', 'reads'],
    ['reading, trusted-only', { mode: 'trusted-only' }, read, {}, 'allow', 'reads'],
    ['reading, auto', { mode: 'auto' }, read, {}, 'allow', 'reads'],
    ['reading, the file wants a question', { reads: 'ask' }, read, {}, 'ask', 'mode:always-ask'],
    [
      'reading, the file wants a question, read-only',
      { reads: 'ask', mode: 'read-only' },
      read,
      {},
      'ask',
      'mode:read-only',
    ],
    [
      'reading, the file wants a question, auto',
      { reads: 'ask', mode: 'auto' },
      read,
      {},
      'allow',
      'mode:auto',
    ],
    [
      'reading, the file wants a question, allowed before',
      { reads: 'ask', grants: [ofLocal()] },
      read,
      {},
      'allow',
      'grant:allow',
    ],
    ['reading, this tool asks', {}, read, { approval: 'ask' }, 'ask', 'tool:ask'],
    ['reading, this tool is forbidden', {}, read, { approval: 'deny' }, 'deny', 'tool:deny'],
    [
      'reading, rejected for good',
      { grants: [ofLocal({ verdict: 'deny' })] },
      read,
      {},
      'deny',
      'grant:deny',
    ],

    ['nothing', {}, { effect: 'none' }, { approval: 'ask' }, 'allow', 'effect:none'],
    ['nothing, forbidden', {}, { effect: 'none' }, { approval: 'deny' }, 'deny', 'tool:deny'],
    [
      'nothing, read-only',
      { mode: 'read-only', reads: 'ask' },
      { effect: 'none' },
      {},
      'allow',
      'effect:none',
    ],

    ['writing', {}, write, {}, 'ask', 'mode:always-ask'],
    ['writing, auto', { mode: 'auto' }, write, {}, 'allow', 'mode:auto'],
    ['writing, fenced', { mode: 'fenced' }, write, {}, 'allow', 'mode:fenced'],
    ['writing, fenced, the file says ask', { mode: 'fenced' }, write, { approval: 'ask' }, 'ask', 'tool:ask'],
    ['fetching, fenced', { mode: 'fenced' }, { effect: 'fetch' }, {}, 'ask', 'mode:fenced'],
    ['a command in a sandbox, fenced', { mode: 'fenced' }, held, {}, 'allow', 'mode:fenced'],
    ['a command in a sandbox, always-ask', {}, held, {}, 'ask', 'mode:always-ask'],
    ['a command without one, fenced', { mode: 'fenced' }, make, {}, 'ask', 'mode:fenced'],
    [
      'a command for which there is none, fenced',
      { mode: 'fenced' },
      { ...make, fence: { by: 'nothing', why: 'x' } },
      {},
      'ask',
      'mode:fenced',
    ],
    [
      'a command in a sandbox and a folder outside, fenced',
      { mode: 'fenced' },
      { ...held, outside: ['/etc'] },
      {},
      'ask',
      'outside',
    ],
    ['writing, allowed before', { grants: [ofLocal()] }, write, {}, 'allow', 'grant:allow'],
    [
      'writing, trusted',
      { mode: 'trusted-only', trustedTools: ['a_tool'] },
      write,
      {},
      'allow',
      'trusted:a_tool',
    ],
    [
      'writing, trusted as built in',
      { mode: 'trusted-only', trustedTools: ['ostler:a_tool'] },
      write,
      {},
      'allow',
      'trusted:ostler:a_tool',
    ],
    ['fetching', {}, { effect: 'fetch' }, {}, 'ask', 'mode:always-ask'],

    ['writing, read-only', { mode: 'read-only' }, write, {}, 'deny', 'mode:read-only'],
    [
      'writing, read-only, allowed before',
      { mode: 'read-only', grants: [ofLocal()] },
      write,
      {},
      'deny',
      'mode:read-only',
    ],
    [
      'writing, read-only, the file allows it',
      { mode: 'read-only' },
      write,
      { approval: 'allow' },
      'deny',
      'mode:read-only',
    ],
    [
      'writing, read-only, the file asks',
      { mode: 'read-only' },
      write,
      { approval: 'ask' },
      'deny',
      'mode:read-only',
    ],
    [
      'running, read-only',
      { mode: 'read-only', grants: [npmTest] },
      run('npm test'),
      {},
      'deny',
      'mode:read-only',
    ],
    ['fetching, read-only', { mode: 'read-only' }, { effect: 'fetch' }, {}, 'deny', 'mode:read-only'],

    ['secrets', {}, { ...read, sensitive: ['/p/.env'] }, {}, 'ask', 'sensitive'],
    ['secrets, auto', { mode: 'auto' }, { ...read, sensitive: ['/p/.env'] }, {}, 'ask', 'sensitive'],
    [
      'secrets, allowed before',
      { grants: [ofLocal()] },
      { ...write, sensitive: ['/p/.env'] },
      {},
      'ask',
      'sensitive',
    ],
    [
      'secrets, the file allows it',
      {},
      { ...read, sensitive: ['/p/.env'] },
      { approval: 'allow' },
      'ask',
      'sensitive',
    ],
    [
      'secrets, forbidden',
      {},
      { ...read, sensitive: ['/p/.env'] },
      { approval: 'deny' },
      'deny',
      'tool:deny',
    ],
    [
      'secrets, written, read-only',
      { mode: 'read-only' },
      { ...write, sensitive: ['/p/.env'] },
      {},
      'deny',
      'mode:read-only',
    ],
    [
      'secrets outside',
      { grants: [ofLocal({ folder: '/etc' })] },
      { ...inEtc, sensitive: ['/etc/ssl/a'] },
      {},
      'ask',
      'sensitive',
    ],

    ['outside', {}, inEtc, {}, 'ask', 'outside'],
    ['outside, auto', { mode: 'auto' }, inEtc, {}, 'ask', 'outside'],
    ['outside, the tool is allowed', { grants: [ofLocal()] }, inEtc, { approval: 'allow' }, 'ask', 'outside'],
    ['outside, trusted', { mode: 'trusted-only', trustedTools: ['a_tool'] }, inEtc, {}, 'ask', 'outside'],
    [
      'outside, folder allowed',
      { grants: [ofLocal({ folder: '/etc/ssl' })] },
      inEtc,
      {},
      'allow',
      'grant:folder',
    ],
    [
      'outside, parent allowed',
      { grants: [ofLocal({ folder: '/etc' })] },
      inEtc,
      {},
      'allow',
      'grant:folder',
    ],
    ['outside, root allowed', { grants: [ofLocal({ folder: '/' })] }, inEtc, {}, 'allow', 'grant:folder'],
    [
      'outside, another folder allowed',
      { grants: [ofLocal({ folder: '/etc/ss' })] },
      inEtc,
      {},
      'ask',
      'outside',
    ],
    [
      'outside, folder allowed for another tool',
      { grants: [grant('allow', { folder: '/etc' })] },
      inEtc,
      {},
      'ask',
      'outside',
    ],
    [
      'outside, folder allowed before a change',
      { grants: [ofLocal({ folder: '/etc', pin: otherPin })] },
      inEtc,
      {},
      'ask',
      'outside',
    ],
    [
      'outside, folder allowed, this tool asks',
      { grants: [ofLocal({ folder: '/etc' })] },
      inEtc,
      { approval: 'ask' },
      'ask',
      'outside',
    ],
    [
      'outside, only one path is in the folder',
      { grants: [ofLocal({ folder: '/etc' })] },
      { ...read, outside: ['/etc/a', '/b'] },
      {},
      'ask',
      'outside',
    ],
    [
      'inside, a folder outside is allowed',
      { grants: [ofLocal({ folder: '/etc' })] },
      write,
      {},
      'ask',
      'mode:always-ask',
    ],
    [
      'written outside, read-only',
      { mode: 'read-only' },
      { ...inEtc, effect: 'write' },
      {},
      'deny',
      'mode:read-only',
    ],

    ['a command', {}, run('npm test'), {}, 'ask', 'mode:always-ask'],
    ['a command allowed before', { grants: [npmTest] }, run('npm test'), {}, 'allow', 'grant:command'],
    ['another command', { grants: [npmTest] }, run('npm publish'), {}, 'ask', 'mode:always-ask'],
    ['a command and another', { grants: [npmTest] }, run('npm test; rm -rf /'), {}, 'ask', 'mode:always-ask'],
    [
      'the command in another folder',
      { grants: [npmTest] },
      run('npm test', '/q'),
      {},
      'ask',
      'mode:always-ask',
    ],
    [
      'the command outside',
      { grants: [npmTest] },
      { ...run('npm test'), outside: ['/q'] },
      {},
      'ask',
      'outside',
    ],
    [
      'a command, the tool is allowed',
      { grants: [ofLocal()] },
      run('npm test'),
      {},
      'ask',
      'mode:always-ask',
    ],
    [
      'a command, the tool was allowed before a change',
      { grants: [ofLocal({ pin: otherPin })] },
      run('npm test'),
      {},
      'ask',
      'mode:always-ask',
    ],
    [
      'a command, the tool is rejected',
      { grants: [ofLocal({ verdict: 'deny' }), npmTest] },
      run('npm test'),
      {},
      'deny',
      'grant:deny',
    ],
    [
      'a command, the file allows the tool',
      {},
      run('npm test; rm -rf /'),
      { approval: 'allow' },
      'allow',
      'tool:allow',
    ],
    ['a command, auto', { mode: 'auto' }, run('npm test; rm -rf /'), {}, 'allow', 'mode:auto'],
    ['a command is no grant for the tool', { grants: [npmTest] }, write, {}, 'ask', 'mode:always-ask'],
    [
      'a command allowed before a change',
      { grants: [{ ...npmTest, pin: otherPin }] },
      run('npm test'),
      {},
      'ask',
      'pin:changed',
    ],
    [
      'another command allowed before a change',
      { grants: [{ ...npmTest, pin: otherPin }] },
      run('ls'),
      {},
      'ask',
      'mode:always-ask',
    ],
    ['a page', {}, page('https://a.org'), {}, 'ask', 'mode:always-ask'],
    [
      'a page of a host allowed before',
      { grants: [ofHost] },
      page('https://a.org'),
      {},
      'allow',
      'grant:origin',
    ],
    ['a page of a host below', { grants: [ofHost] }, page('https://x.a.org'), {}, 'ask', 'mode:always-ask'],
    [
      'a page of another port',
      { grants: [ofHost] },
      page('https://a.org:8443'),
      {},
      'ask',
      'mode:always-ask',
    ],
    ['a page of another scheme', { grants: [ofHost] }, page('http://a.org'), {}, 'ask', 'mode:always-ask'],
    [
      'a page, the tool is allowed',
      { grants: [ofLocal()] },
      page('https://a.org'),
      {},
      'ask',
      'mode:always-ask',
    ],
    [
      'a page, the tool is rejected',
      { grants: [ofLocal({ verdict: 'deny' }), ofHost] },
      page('https://a.org'),
      {},
      'deny',
      'grant:deny',
    ],
    [
      'a page of a host allowed before a change',
      { grants: [{ ...ofHost, pin: otherPin }] },
      page('https://a.org'),
      {},
      'ask',
      'pin:changed',
    ],
    ['a page is no grant for the tool', { grants: [ofHost] }, write, {}, 'ask', 'mode:always-ask'],
    [
      'a page, the file allows the tool',
      {},
      page('https://a.org'),
      { approval: 'allow' },
      'allow',
      'tool:allow',
    ],
    [
      'a command, the file asks',
      { grants: [npmTest] },
      run('npm test'),
      { approval: 'ask' },
      'ask',
      'tool:ask',
    ],
  ])('of a built-in tool: %s', (_, ruled, plan, called, verdict, rule) => {
    expect(decide(rules(ruled), facts({ ref: local, ...called, plan }))).toMatchObject({
      verdict,
      rule: parseRule(rule),
    })
  })

  it.each<[string, Partial<ApprovalRules>, Partial<CallFacts>, string, string]>([
    ['any tool of a server', {}, {}, 'deny', 'mode:read-only'],
    ['one allowed before', { grants: [grant('allow')] }, {}, 'deny', 'mode:read-only'],
    ['one that the file allows', {}, { approval: 'allow' }, 'deny', 'mode:read-only'],
    ['one that is trusted by name', { trustedTools: ['files:*'] }, {}, 'deny', 'mode:read-only'],
    ['one that reads, says its trusted server', {}, { isTrustedRead: true }, 'allow', 'trusted:read-only'],
    ['the same, and the file asks', {}, { isTrustedRead: true, approval: 'ask' }, 'ask', 'tool:ask'],
    [
      'the same, changed',
      { grants: [grant('allow', { pin: otherPin })] },
      { isTrustedRead: true },
      'ask',
      'pin:changed',
    ],
    ['a question to the person', {}, { isInternal: true }, 'allow', 'internal'],
  ])('in the mode read-only: %s', (_, ruled, called, verdict, rule) => {
    expect(decide(rules({ mode: 'read-only', ...ruled }), facts(called))).toMatchObject({
      verdict,
      rule: parseRule(rule),
    })
  })

  it('reports the changes', () => {
    const decision = decide(rules({ grants: [grant('allow', { pin: otherPin })] }), facts())
    expect(decision).toMatchObject({ changes: ['its description', "its server's command"] })
  })
})

describe('lastingOf', () => {
  const command = { line: 'npm test', cwd: '/p' }
  it.each<[string, PlanFacts | undefined, Lasting]>([
    ['a tool without a plan', undefined, { type: 'tool' }],
    ['a write', { effect: 'write' }, { type: 'tool' }],
    ['a file of secrets', { effect: 'read', sensitive: ['/p/.env'] }, { type: 'nothing' }],
    [
      'a file outside',
      { effect: 'read', outside: ['/etc/a'], outsideFolder: '/etc' },
      { type: 'folder', folder: '/etc' },
    ],
    ['a file in the root', { effect: 'read', outside: ['/a'], outsideFolder: '/' }, { type: 'nothing' }],
    ['files in several folders outside', { effect: 'read', outside: ['/a/b', '/c/d'] }, { type: 'nothing' }],
    [
      'a folder that does not hold all of them',
      { effect: 'read', outside: ['/a/b', '/c/d'], outsideFolder: '/a' },
      { type: 'nothing' },
    ],
    [
      'a command',
      { effect: 'run', command },
      { type: 'command', command: { words: ['npm', 'test'], isExact: true, cwd: '/p' } },
    ],
    [
      'a command outside',
      { effect: 'run', command, outside: ['/q'], outsideFolder: '/q' },
      { type: 'nothing' },
    ],
    ['a page', { effect: 'fetch', origin: 'https://a.org' }, { type: 'origin', origin: 'https://a.org' }],
    [
      'a page of a host with a secret in its name',
      { effect: 'fetch', origin: 'https://[redacted].a.org' },
      { type: 'nothing' },
    ],
    ['two commands', { effect: 'run', command: { line: 'a; b', cwd: '/p' } }, { type: 'nothing' }],
  ])('%s', (_, plan, lasting) => {
    expect(lastingOf(facts({ plan }))).toEqual(lasting)
  })
})

describe('loosening', () => {
  const approval = (mode: ApprovalMode, ...trustedTools: string[]): Approval => ({
    mode,
    trustedTools,
    reads: 'allow',
  })
  it.each<[Approval, Approval, string | undefined]>([
    [approval('read-only'), approval('always-ask'), 'the mode is always-ask, and was read-only'],
    [approval('always-ask'), approval('read-only'), undefined],
    [
      { ...approval('always-ask'), reads: 'ask' },
      approval('always-ask'),
      'reading files no longer needs approval',
    ],
    [approval('always-ask'), { ...approval('always-ask'), reads: 'ask' }, undefined],
    [{ ...approval('auto'), reads: 'ask' }, approval('auto'), undefined],
    [approval('always-ask'), approval('auto'), 'the mode is auto, and was always-ask'],
    [approval('always-ask'), approval('trusted-only', 'a:b'), 'the mode is trusted-only, and was always-ask'],
    [approval('trusted-only', 'a:b'), approval('trusted-only', 'a:b', 'c:*'), 'c:* is trusted'],
    [approval('trusted-only', 'a:b'), approval('trusted-only'), undefined],
    [approval('always-ask'), approval('always-ask', 'a:b'), undefined],
    [approval('auto'), approval('trusted-only', 'a:b'), undefined],
    [approval('trusted-only'), approval('always-ask'), undefined],
  ])('%j to %j', (before, now, change) => expect(loosening(before, now)).toBe(change))
})
