import { expect, test } from 'vitest'
import type { State } from '../../../../packages/agent-api/src/state/state.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { text } from '../../../../packages/agent-api/src/messages/content.ts'
import { newSession, recordCall, type CallToRecord } from '../../../support/history-lab.ts'

const folder = '/projects/one'

async function openPast(session = newSession('mine'), calls: readonly Partial<CallToRecord>[] = []) {
  const history = openState()
  await addTurn(history, session, 'make some noise', calls)
  return history
}

async function addTurn(
  history: State,
  session: ReturnType<typeof newSession>,
  prompt: string,
  calls: readonly Partial<CallToRecord>[],
) {
  const log = history.sessions.log(session, { isStored: false })
  log.beginTurn([text(prompt)])
  for (const [place, call] of calls.entries()) {
    const id = `${session.id}-${place}`
    await recordCall(history, {
      id,
      agent: session.agent,
      sessionId: session.id,
      turn: 1,
      end: 'success',
      ...call,
    })
  }
  history.sessions.release(session.id)
}

const find = (query: unknown): Partial<CallToRecord> => ({
  server: null,
  tool: 'find_tools',
  arguments: { query },
})
const run = (tool: string): Partial<CallToRecord> => ({ server: 'shop', tool })
const shop = (tool: string) => ({ server: 'shop', tool })

test.each<[name: string, calls: readonly Partial<CallToRecord>[], expected: readonly unknown[]]>([
  [
    'a prompt with what succeeded',
    [run('bell'), run('horn')],
    [{ text: 'make some noise', tools: [shop('bell'), shop('horn')] }],
  ],
  [
    'a search with what succeeded after it',
    [run('bell'), find('a horn'), run('horn')],
    [
      { text: 'make some noise', tools: [shop('bell'), shop('horn')] },
      { text: 'a horn', tools: [shop('horn')] },
    ],
  ],
  [
    'a search without a call',
    [run('bell'), find('a horn')],
    [{ text: 'make some noise', tools: [shop('bell')] }],
  ],
  [
    'what did not succeed',
    (['error', 'denied', 'cancelled', undefined] as const).map((end) => ({ ...run('bell'), end })),
    [],
  ],
  ['tools without a server', [{ server: null, tool: 'read_file' }], []],
  ...[{}, 'cut off', null].map((args): [string, readonly Partial<CallToRecord>[], readonly unknown[]] => [
    `arguments without a query: ${JSON.stringify(args)}`,
    [{ ...find(''), arguments: args }, run('bell')],
    [{ text: 'make some noise', tools: [shop('bell')] }],
  ]),
])('%s', async (_, calls, expected) => {
  using history = await openPast(newSession('mine'), calls)
  expect(history.calls.searches('default', folder)).toEqual(expected)
})

test('only the folder and the agent count, and what is deleted is gone', async () => {
  using history = await openPast(newSession('old'), [run('old')])
  await addTurn(history, newSession('new'), 'and now', [run('new')])
  await addTurn(history, newSession('elsewhere', { cwd: '/projects/two' }), 'there', [run('there')])
  await addTurn(history, newSession('other', { agent: 'other' }), 'other', [run('other')])
  const texts = () =>
    history.calls
      .searches('default', folder)
      .map((past) => past.text)
      .toSorted()
  expect(texts()).toEqual(['and now', 'make some noise'])
  await history.sessions.delete('new')
  expect(texts()).toEqual(['make some noise'])
  await history.calls.deleteEnded()
  expect(texts()).toEqual([])
})

test('a long prompt counts with its beginning, and a huge one not at all', async () => {
  using history = await openPast(newSession('mine'), [run('bell')])
  await addTurn(history, newSession('long'), 'long '.repeat(2_000), [run('bell')])
  await addTurn(history, newSession('huge'), 'huge '.repeat(20_000), [find('horn'), run('bell')])
  const texts = new Set(history.calls.searches('default', folder).map((past) => past.text))
  expect(texts).toEqual(new Set(['long '.repeat(200), 'horn', 'make some noise']))
})

test('the last 100 calls of a session count, and 500 prompts and searches in all', async () => {
  using history = openState()
  const calls = [run('first'), ...Array.from({ length: 98 }, () => find('a bell')), run('bell')]
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
    await addTurn(history, newSession(id), 'make some noise', [...calls, run('last')])
  const past = history.calls.searches('default', folder)
  expect(past).toHaveLength(500)
  expect(past[0]).toEqual({ text: 'make some noise', tools: [shop('bell'), shop('last')] })
})

test('nothing is found in a history that cannot be read', async () => {
  const history = await openPast(newSession('mine'), [run('bell')])
  history[Symbol.dispose]()
  expect(history.calls.searches('default', folder)).toEqual([])
})

test('a prompt that takes long to read is left out', async () => {
  using history = openState()
  await addTurn(history, newSession('short'), 'a'.repeat(10_000), [run('bell')])
  await addTurn(history, newSession('long'), 'b'.repeat(20_000), [run('horn')])
  expect(history.calls.searches('default', folder).map(({ text: begin }) => begin)).toEqual([
    'a'.repeat(1_000),
  ])
})
