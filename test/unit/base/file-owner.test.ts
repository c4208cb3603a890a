import { expect, test } from 'vitest'
import { isForeign } from '../../../packages/agent-api/src/base/file-owner.ts'

const [me, root, other] = [1000, 0, 65_534]

test.each<[what: string, uid: number, mode: number, owner: number, expected: boolean]>([
  ['of this user', me, 0o40755, me, false],
  ['of this user, for a group', me, 0o40775, me, false],
  ['of this user, for everybody', me, 0o40777, me, true],
  ['of root', root, 0o40755, me, false],
  ['of root, for a group', root, 0o40775, me, true],
  ['of root, like /tmp', root, 0o41777, me, true],
  ['of another user', other, 0o40755, me, true],
  ['of the user in whose folder the session works', other, 0o40755, other, false],
])('a folder %s', (_, uid, mode, owner, expected) => {
  expect(isForeign({ uid, mode }, owner, me)).toBe(expected)
})
