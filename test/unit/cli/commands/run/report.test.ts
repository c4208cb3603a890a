import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { answerQuestions } from '../../../../../packages/cli/src/commands/run/answer-questions.ts'
import { endingText } from '../../../../../packages/cli/src/commands/run/exit-codes.ts'
import { createTextReport } from '../../../../../packages/cli/src/commands/run/report.ts'
import { toEvent } from '../../../../../packages/cli/src/commands/run/to-event.ts'
import { plain } from '../../../../../packages/cli/src/terminal/style.ts'

/** One terminal, on which everything is shown. */
function openReport() {
  let shown = ''
  const stream = Object.assign(new Writable(), {
    isTTY: true,
    write: (text: string) => ((shown += text), true),
  })
  const report = createTextReport({ stdout: stream, stderr: stream })
  return { report, stream, shown: () => shown, write: (text: string) => void (shown += text) }
}

const call = (toolCallId: string) => ({ sessionUpdate: 'tool_call', toolCallId, title: toolCallId }) as const
const done = (toolCallId: string) =>
  ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' }) as const
const says = (text: string) =>
  ({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text } }) as const

test('what happens while a question waits is shown after its answer', async () => {
  const { report, stream, shown, write } = openReport()
  const choice = Promise.withResolvers<string>()
  const person = {
    style: plain,
    columns: () => 80,
    show: (rows: readonly string[]) => write(`${rows.join('\n')}\n`),
    choose(question: string) {
      write(`${question} `)
      return choice.promise
    },
    ask: () => Promise.resolve(undefined),
  }
  const { onPermission } = answerQuestions({ stderr: stream, env: {} }, { person, report, refusesAll: false })
  for (const id of ['one', 'two']) report.update(call(id))
  const options = [{ optionId: 'yes', name: 'Allow once', kind: 'allow_once' as const }]
  const answered = onPermission(
    { sessionId: 's', toolCall: { toolCallId: 'two', title: 'two' }, options },
    new AbortController().signal,
  )
  await Promise.resolve()
  report.update(done('one'))
  report.update(says('and so on'))
  expect(shown()).toBe('\ntwo\nAllow this call? ')
  write('y\n')
  choice.resolve('yes')
  await answered
  expect(shown()).toBe('\ntwo\nAllow this call? y\n✓ one\nand so on')
})

test('what was held back is shown at the end, even without an answer', () => {
  const { report, shown } = openReport()
  report.update(call('one'))
  report.pause()
  report.update(done('one'))
  expect(shown()).toBe('')
  report.finish()
  expect(shown()).toBe('✓ one\n')
})

test.each([
  [
    'a warning',
    { severity: 'warning', title: 'Careful', description: 'It is late.' },
    'ostler: Careful: It is late.\n',
  ],
  [
    'several lines',
    { severity: 'warning', title: 'Two', description: 'a: no\n\nb: \u001b[31mno' },
    'ostler: Two:\n  a: no\n  b: no\n',
  ],
  ['a title alone', { severity: 'warning', title: 'Careful' }, 'ostler: Careful\n'],
  ['no news', { severity: 'info', title: 'Connected' }, ''],
  [
    'no error, which the end says',
    { severity: 'error', title: 'The agent cannot start', description: 'No.' },
    '',
  ],
])('a notice: %s', (_, notice, expected) => {
  const { report, shown } = openReport()
  report.update({ sessionUpdate: 'notice', ...notice })
  expect(shown()).toBe(expected)
})

test('thoughts of the model are not shown, but why Ostler waits is', () => {
  const { report, shown } = openReport()
  const thought = { sessionUpdate: 'agent_thought_chunk', messageId: 't' } as const
  report.update({ ...thought, content: { type: 'text', text: 'Hm.' } })
  report.update({
    ...thought,
    content: { type: 'text', text: 'It is busy. Retrying in 6 s.' },
    _meta: { 'ostler/wait': true },
  })
  report.update({
    ...thought,
    content: { type: 'text', text: '\nRetrying.' },
    _meta: { 'ostler/wait': true },
  })
  expect(shown()).toBe('ostler: It is busy. Retrying in 6 s.\nostler: Retrying.\n')
})

test('a call that was not run says why, in one clause', () => {
  const { report, shown } = openReport()
  const failed = (id: string, text: string) =>
    report.update({
      ...done(id),
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text } }],
    })
  failed('echo', 'The arguments are not valid: /a must be string. Nothing was run.\nMore.')
  report.event({ type: 'question', id: 'touch', title: 'touch', answer: 'reject_once', answeredBy: 'flag' })
  failed('touch', 'The person did not allow this call.')
  report.update({ ...done('test'), status: 'in_progress' })
  failed('test', 'one of its tests failed')
  expect(shown()).toBe(
    '✗ echo: The arguments are not valid: /a must be string.\n✗ touch: rejected by --approve none\n✗ test\n',
  )
})

test('the event of a thought says whether it is a wait', () => {
  const thought = {
    sessionUpdate: 'agent_thought_chunk',
    messageId: 't',
    content: { type: 'text', text: 'Hm.' },
  } as const
  expect(toEvent(thought)).toEqual({ type: 'thought', text: 'Hm.', messageId: 't' })
  expect(toEvent({ ...thought, _meta: { 'ostler/wait': true } })).toMatchObject({
    type: 'thought',
    isWait: true,
  })
})

test('an end that can be continued says how', () => {
  expect(endingText('end_turn', 'go')).toBeUndefined()
  expect(endingText('refusal', 'go')).toBe('The model refused to answer.')
  expect(endingText('timeout', 'go on.')).toBe('The time of --timeout is over. To continue, go on.')
})
