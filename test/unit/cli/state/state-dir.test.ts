import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stateDirOf } from '../../../../packages/cli/src/state/state-dir.ts'

test.each([
  ['the flag wins', '/flag', { XDG_STATE_HOME: '/xdg' }, '/flag'],
  ['a relative flag is meant from here', 'flag', {}, resolve('flag')],
  ['then XDG_STATE_HOME', undefined, { XDG_STATE_HOME: '/xdg' }, '/xdg/ostler'],
  [
    'a relative XDG_STATE_HOME does not count',
    undefined,
    { XDG_STATE_HOME: 'xdg' },
    join(homedir(), '.local/state/ostler'),
  ],
  ['then the home', undefined, {}, join(homedir(), '.local/state/ostler')],
])('%s', (_, flag, env, expected) => {
  expect(stateDirOf(flag, env)).toBe(expected)
})
