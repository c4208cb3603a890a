import { expect, test } from 'vitest'
import { fromPermissionResponse, permissionOptionsFor } from '../../../packages/acp-server/src/permission-options.ts'

test('each option is answered as what it offers', () => {
  const options = permissionOptionsFor({ server: 'files', tool: 'read' })
  expect(
    options.map(({ kind, name, optionId }) => [kind, name, fromPermissionResponse({ outcome: { outcome: 'selected', optionId } })]),
  ).toEqual([
    ['allow_once', 'Allow once', { verdict: 'allow', scope: 'once' }],
    ['allow_always', 'Allow this tool for this session', { verdict: 'allow', scope: 'session' }],
    ['allow_always', 'Always allow this tool', { verdict: 'allow', scope: 'always' }],
    ['allow_always', "Always allow this server's tools", { verdict: 'allow', scope: 'server' }],
    ['reject_once', 'Reject once', { verdict: 'deny', scope: 'once' }],
    ['reject_always', 'Always reject this tool', { verdict: 'deny', scope: 'always' }],
  ])
})

test('a local tool has no server to allow', () => {
  expect(permissionOptionsFor({ server: null, tool: 'read_file' }).map(({ optionId }) => optionId)).not.toContain('allow-server')
})

test('cancelled is cancelled', () => {
  expect(fromPermissionResponse({ outcome: { outcome: 'cancelled' } })).toEqual({ verdict: 'cancelled' })
})

test.each<[unknown]>([
  [undefined],
  [null],
  [true],
  ['allow-once'],
  [[]],
  [{}],
  [{ outcome: 'selected' }],
  [{ outcome: { optionId: 'allow-once' } }],
  [{ outcome: { outcome: 'selected' } }],
  [{ outcome: { outcome: 'selected', optionId: 'ALLOW-ONCE' } }],
  [{ outcome: { outcome: 'selected', optionId: ['allow-once'] } }],
  [{ outcome: { outcome: 'selected', optionId: '__proto__' } }],
  [{ outcome: { outcome: 'allowed', optionId: 'allow-once' } }],
  [{ optionId: 'allow-once' }],
])('%j does not allow', (response) => {
  expect(fromPermissionResponse(response)).toEqual({ verdict: 'deny', scope: 'once' })
})
