import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import {
  createSharedQuestions,
  type AskedSession,
} from '../../../packages/agent-api/src/servers/shared-questions.ts'

const form = { server: 'shared', kind: 'form', message: 'Who?', schema: {} } as const
const sampling = { server: 'shared', messages: [], maxTokens: 1 }

/** Two sessions that note what reaches them. */
function open() {
  const questions = createSharedQuestions(() => ['form'], silentLogger)
  const heard: Record<string, string[]> = { one: [], two: [] }
  const sessionOf = (name: string): AskedSession => ({
    elicit: async ({ message }) => (
      heard[name]?.push(`form: ${message}`),
      { verdict: 'allow', values: { by: name } }
    ),
    sample: async () => ({ model: name, text: 'a thought', stopReason: 'endTurn' }),
    onDeclined: ({ message, why }) => void heard[name]?.push(`${why ?? 'cannot be shown'}: ${message}`),
    onElicited: (id) => void heard[name]?.push(`visited ${id}`),
  })
  const sessions = { one: sessionOf('one'), two: sessionOf('two') }
  for (const session of Object.values(sessions)) questions.join(session)
  return { questions, sessions, heard }
}

const outside = 'outside a call, so it was declined: Who?'
const several = 'while several conversations used it, so it was cancelled: Who?'

test.each([
  [
    'the session whose call is open',
    [['shared', 'two']],
    { verdict: 'allow', values: { by: 'two' } },
    { one: [], two: ['form: Who?'] },
  ],
  [
    'a session with two open calls, while another calls another server',
    [
      ['shared', 'one'],
      ['shared', 'one'],
      ['other', 'two'],
    ],
    { verdict: 'allow', values: { by: 'one' } },
    { one: ['form: Who?'], two: [] },
  ],
  [
    'nobody, while several sessions call the server, and each learns why',
    [
      ['shared', 'one'],
      ['shared', 'two'],
    ],
    { verdict: 'cancelled' },
    { one: [several], two: [several] },
  ],
  [
    'nobody, without a call, and all sessions learn why',
    [['other', 'one']],
    { verdict: 'deny' },
    { one: [outside], two: [outside] },
  ],
] as const)('a question goes to %s', async (_, calls, answer, expected) => {
  const { questions, sessions, heard } = open()
  for (const [server, name] of calls) questions.begin(server, sessions[name])
  expect(await questions.host.elicit?.(form, AbortSignal.timeout(60_000))).toEqual(answer)
  expect(heard).toEqual(expected)
})

test('a request for the model goes to the session whose call is open, or is refused', async () => {
  const { questions, sessions, heard } = open()
  const ask = () => questions.host.sample?.(sampling, AbortSignal.timeout(60_000))
  await expect(ask()).rejects.toMatchObject({ code: 'mcp.no_turn' })
  const call = questions.begin('shared', sessions.two)
  expect(await ask()).toMatchObject({ model: 'two' })
  const other = questions.begin('shared', sessions.one)
  await expect(ask()).rejects.toMatchObject({ code: 'mcp.no_turn' })
  other[Symbol.dispose]()
  expect(await ask()).toMatchObject({ model: 'two' })
  call[Symbol.dispose]()
  await expect(ask()).rejects.toMatchObject({ code: 'mcp.no_turn' })
  expect(heard['one']).toHaveLength(3)
})

test('what the editor cannot show is told in the session of the call, and the end of a page in all of them', () => {
  const { questions, sessions, heard } = open()
  questions.begin('shared', sessions.one)
  questions.host.onDeclined?.({ server: 'shared', message: 'Open it' })
  questions.host.onElicited?.('page-1')
  expect(heard).toEqual({ one: ['cannot be shown: Open it', 'visited page-1'], two: ['visited page-1'] })
  expect(questions.host.elicitModes).toEqual(['form'])
})

test('a session that has left hears nothing', async () => {
  const { questions, heard } = open()
  const left = questions.join({ onDeclined: () => heard['one']?.push('left') })
  left[Symbol.dispose]()
  await questions.host.elicit?.(form, AbortSignal.timeout(60_000))
  expect(heard['one']).toEqual([outside])
})
