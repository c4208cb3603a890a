import { expect, test } from 'vitest'
import { createDoor } from '../../../packages/console/src/server/http/door.ts'

test('opens once, with its own token, and then recognizes that browser', () => {
  const door = createDoor(4711)
  expect(Buffer.from(door.token, 'base64url')).toHaveLength(32)
  for (const wrong of ['', 'x', `${door.token}x`, door.token.slice(1), createDoor(4711).token]) expect(door.enter(wrong)).toBeUndefined()
  const set = door.enter(door.token)
  expect(set).toMatch(/^ostler-console-4711=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(door.enter(door.token)).toBeUndefined()

  const cookie = set?.split(';')[0] ?? ''
  expect(cookie).not.toContain(door.token)
  for (const inside of [cookie, `a=b; ${cookie}`, `${cookie}; a=b`, `ostler-console-4711=planted; ${cookie}`])
    expect(door.isInside(inside)).toBe(true)
  for (const outside of [
    undefined,
    '',
    'ostler-console-4711=',
    `ostler-console-4711=${door.token}`,
    cookie.replace('4711', '4712'),
    `x${cookie}`,
    `${cookie}x`,
  ])
    expect(door.isInside(outside)).toBe(false)
})
