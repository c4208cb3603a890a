import { expect, test } from 'vitest'
import { toAcpCommand } from '../../../packages/acp-server/src/to-acp-commands.ts'

const icon = { src: 'data:image/png;base64,AAAA' }

test.each([
  [{}, {}],
  [{ hint: 'word' }, { input: { hint: 'word' } }],
  [{ icons: [] }, {}],
  [{ icons: [icon] }, { _meta: { 'ostler/icons': [icon] } }],
])('a command with %j', (given, expected) => {
  const base = { name: 'greet', description: 'Greets' }
  expect(toAcpCommand({ ...base, ...given })).toEqual({ ...base, ...expected })
})
