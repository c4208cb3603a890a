import { expect, test } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'

const summary = (id: string) => ({
  id,
  agent: 'a',
  cwd: '/',
  additionalDirectories: [],
  title: null,
  model: null,
  mode: null,
  thoughtLevel: null,
  turns: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})

function open(history: ReturnType<typeof openState>, id: string) {
  history.sessions.log(summary(id), { isStored: false }).beginTurn([])
  let turn = 1
  const changes = history.sessions.fileChanges(id, () => turn)
  return { changes, setTurn: (value: number) => (turn = value) }
}

test('the first content of a turn is kept, with the last version', () => {
  using history = openState()
  const { changes } = open(history, 's')
  expect(changes.last()).toBeUndefined()
  changes.begin({ path: '/a', before: 'one', form: 'utf-8' })
  changes.done('/a', 'v1')
  changes.begin({ path: '/a', before: 'two', form: 'utf-8' })
  changes.done('/a', 'v2')
  changes.begin({ path: '/new', before: null, form: 'utf-8' })
  expect(changes.last()).toEqual({
    turn: 1,
    changes: [
      { path: '/a', before: 'one', form: 'utf-8', after: 'v2' },
      { path: '/new', before: null, form: 'utf-8', after: null },
    ],
  })
  // A change that failed is dropped, unless an earlier one of the turn was done.
  changes.drop('/new')
  changes.drop('/a')
  expect(changes.last()?.changes.map(({ path }) => path)).toEqual(['/a'])
  changes.forget(1, ['/a'])
  expect(changes.last()).toBeUndefined()
})

test('the number of prompts is bounded, and the oldest go first', () => {
  using history = openState()
  const { changes, setTurn } = open(history, 's')
  for (let turn = 1; turn <= 25; turn++) {
    setTurn(turn)
    changes.begin({ path: '/a', before: String(turn), form: 'utf-8' })
  }
  const turns: number[] = []
  for (let last = changes.last(); last !== undefined; last = changes.last()) {
    turns.push(last.turn)
    changes.forget(last.turn, ['/a'])
  }
  expect(turns).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index))
})

test('the bytes are bounded, for a session and for all', () => {
  using history = openState()
  const text = 'x'.repeat(12 * 1024 * 1024)
  const { changes, setTurn } = open(history, 's')
  for (const turn of [1, 2, 3]) {
    setTurn(turn)
    changes.begin({ path: '/a', before: text, form: 'utf-8' })
  }
  changes.forget(3, ['/a'])
  changes.forget(2, ['/a'])
  expect(changes.last()).toBeUndefined()
})
