import { expect, test } from 'vitest'
import { openDatabase } from '../../../../packages/agent-api/src/state/db/database.ts'
import { createStoredState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { processMark } from '../../../../packages/agent-api/src/state/presence/process-mark.ts'
import {
  createQuestions,
  type NewQuestion,
} from '../../../../packages/agent-api/src/state/questions/questions.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const page = (url = 'https://example.com'): NewQuestion => ({
  agent: 'default',
  sessionId: 's1',
  body: { kind: 'page', server: 'rich', message: 'Open it', url },
})

const never = new AbortController().signal

/** An agent that asks, a console that answers, and a program that writes to the database itself. */
async function openLab() {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const agent = opened.use(createStoredState({ stateDir: dir.path }))
  const console = opened.use(createStoredState({ stateDir: dir.path }))
  const { database } = openDatabase(dir.path)
  opened.defer(() => database.close())
  const ask = async () => (await agent.questions.open(page()))!
  const idsOf = () => console.questions.list().map(({ id }) => id)
  const all = opened.move()
  return { agent, console, database, ask, idsOf, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('an answer counts for its own question, once', async () => {
  await using lab = await openLab()
  const first = await lab.ask()
  const [firstId = ''] = lab.idsOf()
  const second = await lab.ask()
  const [, secondId = ''] = lab.idsOf()
  expect(await lab.console.questions.answer(firstId, { choice: 'accept' })).toBe(true)
  expect(await lab.console.questions.answer(firstId, { choice: 'decline' })).toBe(false)
  expect(await first.answered(never)).toEqual({ choice: 'accept' })
  // The same answer, copied to another question.
  const sealed = lab.database.prepare('SELECT answer FROM questions WHERE id = ?').get(firstId)?.[
    'answer'
  ] as string
  lab.database.prepare('UPDATE questions SET answer = ? WHERE id = ?').run(sealed, secondId)
  expect(await second.answered(never)).toEqual({ choice: '' })
  expect(await second.close()).toEqual({ choice: '' })

  // A question that has ended accepts no answer.
  expect(await first.close()).toEqual({ choice: 'accept' })
  expect(await lab.console.questions.answer(firstId, { choice: 'accept' })).toBe(false)
  // The answer cannot be used again either: it opens only with the key of its question, and each question has another key.
  const third = await lab.ask()
  lab.database.prepare('UPDATE questions SET answer = ?').run(sealed)
  expect(await third.answered(never)).toEqual({ choice: '' })
})

test('an answer is noticed when it is given, and waiting ends with its signal', async () => {
  await using lab = await openLab()
  const question = await lab.ask()
  const [id = ''] = lab.idsOf()
  const answered = question.answered(never)
  const stopped = new AbortController()
  const given = question.answered(stopped.signal)
  stopped.abort()
  expect(await given).toBeUndefined()
  expect(await question.answered(stopped.signal)).toBeUndefined()
  await lab.console.questions.answer(id, { choice: 'accept' })
  expect(await answered).toEqual({ choice: 'accept' })
})

test('an answer is noticed, although the database could not be read just when it was given', async () => {
  await using lab = await openLab()
  const { journal, changes } = lab.agent
  let isUnreadable = false
  const read: typeof journal.read = (query) => {
    if (!isUnreadable) return journal.read(query)
    isUnreadable = false
    throw new Error('locked')
  }
  const unsteady = Object.create(journal, { read: { value: read } }) as typeof journal
  const options = { journal: unsteady, changes, process: processMark(), strike: <T>(value: T) => value }
  const question = await createQuestions(options).open(page())
  const answered = question?.answered(never)
  const [id = ''] = lab.idsOf()
  isUnreadable = true
  await lab.console.questions.answer(id, { choice: 'accept' })
  expect(await answered).toEqual({ choice: 'accept' })
  expect(isUnreadable).toBe(false)
})

test('a key that was exchanged loses the answer, and lets nothing through', async () => {
  await using lab = await openLab()
  const question = await lab.ask()
  const [id = ''] = lab.idsOf()
  const other = await lab.agent.questions.open(page())
  lab.database
    .prepare('UPDATE questions SET key = (SELECT key FROM questions WHERE id <> ?) WHERE id = ?')
    .run(id, id)
  expect(await lab.console.questions.answer(id, { choice: 'accept' })).toBe(true)
  expect(await question.answered(never)).toEqual({ choice: '' })
  expect(await other?.close()).toBeUndefined()
})

test('questions that are opened at the same time have different keys', async () => {
  await using lab = await openLab()
  await lab.ask()
  await Promise.all([lab.ask(), lab.ask()])
  const keys = lab.database.prepare('SELECT key FROM questions').all()
  expect(new Set(keys.map(({ key }) => key)).size).toBe(3)
})

test('a question with an invalid key accepts no answer', async () => {
  await using lab = await openLab()
  const question = await lab.ask()
  const [id = ''] = lab.idsOf()
  lab.database.prepare('UPDATE questions SET key = ?').run('no key')
  expect(await lab.console.questions.answer(id, { choice: 'accept' })).toBe(false)
  expect(await question.close()).toBeUndefined()
})

test.each([
  ['of a process that has ended', { process: processMark().replace(/\d+ \d+$/, '1 1') }],
  ['of a kind that is not known', { body: JSON.stringify({ kind: 'oath', server: 'x', message: 'x' }) }],
  ['that is not JSON', { body: '{' }],
  ['with a page that is no page', { body: JSON.stringify(page('javascript:alert(1)').body) }],
  [
    'without choices',
    {
      body: JSON.stringify({
        kind: 'call',
        callId: 'c',
        title: 't',
        ref: { server: null, tool: 'x' },
        args: {},
        content: [],
      }),
    },
  ],
])(
  'a row %s is not shown, and hides no other',
  async (_, change: { readonly process?: string; readonly body?: string }) => {
    await using lab = await openLab()
    await lab.ask()
    const ids = lab.idsOf()
    const { process = processMark(), body = JSON.stringify(page().body) } = change
    lab.database
      .prepare(
        'INSERT INTO questions (id, process, agent, session_id, asked_at, body, key) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run('forged', process, 'default', 's1', '2020-01-01T00:00:00.000Z', body, 'key')
    expect(lab.idsOf()).toEqual(ids)
  },
)
