import { expect, test } from 'vitest'
import {
  ask,
  firstState,
  pressKey,
  quietMs,
  type Effect,
} from '../../../../../packages/cli/src/commands/chat/chat-state.ts'

const choices = [
  { id: 'allow', key: 'y', label: 'Allow once' },
  { id: 'reject', key: 'n', label: 'Reject once' },
]

/** The effects of keys, each pressed this long after the last one. */
function effectsOf(...keys: readonly (readonly [text: string, afterMs: number])[]): (Effect | undefined)[] {
  let state = ask(firstState, { type: 'choice', label: 'Allow this call?', choices, from: quietMs })
  let now = 0
  return keys.map(([text, afterMs]) => {
    const pressed = pressKey(state, { name: text, text }, (now += afterMs))
    state = pressed.state
    return pressed.effect
  })
}

const allowed = { type: 'choose', id: 'allow' }

test('a question is answered by one key', () => {
  expect(effectsOf(['y', quietMs])).toEqual([allowed])
  expect(effectsOf(['Y', quietMs])).toEqual([allowed])
})

test('a key that is pressed too early does not count, and neither does one right after it', () => {
  expect(effectsOf(['y', quietMs - 1], ['y', quietMs - 1], ['y', quietMs])).toEqual([
    undefined,
    undefined,
    allowed,
  ])
})

test('the letters of a word are no answer', () => {
  expect(effectsOf(['m', 10_000], ['a', 100], ['y', 100], ['y', quietMs])).toEqual([
    undefined,
    undefined,
    undefined,
    allowed,
  ])
})
