import { expect, test } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'

test('a tool is off for one agent, folder and server, until it is switched on', async () => {
  using state = openState()
  const off = state.servers.off('agent', '/here')
  const add = { identity: 'sums', tool: 'add' }
  for (const isOff of [true, true]) await off.set(add, isOff)
  await off.set({ identity: 'sums', tool: 'subtract' }, true)
  expect(off.list()).toEqual([add, { identity: 'sums', tool: 'subtract' }])
  expect(state.servers.off('agent', '/there').list()).toEqual([])
  expect(state.servers.off('other', '/here').list()).toEqual([])
  await off.set({ identity: 'other', tool: 'add' }, false)
  await off.set(add, false)
  expect(off.list()).toEqual([{ identity: 'sums', tool: 'subtract' }])
})
