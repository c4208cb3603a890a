import { expect, test } from 'vitest'
import { createDoor } from '../../../packages/console/src/server/http/door.ts'

test('opens once, with its own token, and then recognizes the key', () => {
  const door = createDoor()
  expect(Buffer.from(door.token, 'base64url')).toHaveLength(32)
  for (const wrong of ['', 'x', `${door.token}x`, door.token.slice(1), createDoor().token])
    expect(door.enter(wrong)).toBeUndefined()
  const key = door.enter(door.token) ?? ''
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(key).not.toBe(door.token)
  expect(door.enter(door.token)).toBeUndefined()

  expect(door.isInside(`Bearer ${key}`)).toBe(true)
  for (const outside of [
    undefined,
    '',
    'Bearer ',
    key,
    `Bearer ${door.token}`,
    `Bearer ${key}x`,
    `bearer ${key}`,
    `Bearer  ${key}`,
  ])
    expect(door.isInside(outside)).toBe(false)
})
