import { expect, test } from 'vitest'
import { toSeatbeltProfile } from '../../../packages/agent-api/src/fence/to-seatbelt-profile.ts'

test('the last rule about a path is the one that counts', () => {
  const profile = toSeatbeltProfile({
    writable: ['/Users/a/shop'],
    readOnly: ['/Users/a/shop/.git'],
    absent: [{ path: '/Users/a/shop/.vscode', isDirectory: true }],
    temporary: ['/private/tmp'],
    hidden: [
      { path: '/Users/a', isDirectory: true },
      { path: '/Users/a/.config/gh', isDirectory: true },
    ],
    visible: ['/Users/a/.config'],
  })
  expect(profile.split('\n').slice(-7)).toEqual([
    '(allow file-read* file-write* (subpath "/private/tmp"))',
    '(deny file-read* file-write* (subpath "/Users/a"))',
    '(allow file-read* (subpath "/Users/a/.config"))',
    '(allow file-read* file-write* (subpath "/Users/a/shop"))',
    '(deny file-write* (subpath "/Users/a/shop/.git"))',
    '(deny file-write* (subpath "/Users/a/shop/.vscode"))',
    '(deny file-read* file-write* (subpath "/Users/a/.config/gh"))',
  ])
  expect(profile).toContain('(deny network*)\n(deny file-write*)\n')
})

test('a path cannot add rules', () => {
  const path = '/a"))(allow network*)(deny file-read* (subpath "\\'
  const profile = toSeatbeltProfile({
    writable: [path],
    readOnly: [],
    absent: [],
    temporary: [],
    hidden: [],
    visible: [],
  })
  expect(profile).toContain(`(subpath "/a\\"))(allow network*)(deny file-read* (subpath \\"\\\\"))`)
})
