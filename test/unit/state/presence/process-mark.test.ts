import { expect, it } from 'vitest'
import { fateOf, processMark } from '../../../../packages/agent-api/src/state/presence/process-mark.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { recordCall } from '../../../support/history-lab.ts'

const [machine = '', space = '', pid = '', start = ''] = processMark().split(' ')

it('recognizes this process', () => {
  expect(processMark().split(' ')).toHaveLength(4)
  expect(pid).toBe(String(process.pid))
  expect(fateOf(processMark())).toBe('living')
})

it.each([
  ['its number, given to another', [machine, space, pid, '1'], 'ended'],
  ['a number that nobody has', [machine, space, '4194305', start], 'ended'],
  ['no number at all', [machine, space, 'x', start], 'ended'],
  ['another container', [machine, 'pid:[1]', '1', start], 'unseen'],
  ['an older word', ['host', pid, start], process.platform === 'linux' ? 'ended' : 'unseen'],
  ['nothing', [], process.platform === 'linux' ? 'ended' : 'unseen'],
])('detects the state of %s', (_, words, fate) => {
  expect(fateOf(words.join(' '))).toBe(fate)
})

it.runIf(process.platform === 'linux')('an earlier boot of the machine has ended', () => {
  expect(fateOf(['0b6d5a5e-0000-4000-8000-000000000000', space, pid, start].join(' '))).toBe('ended')
})

it('calls of another container are given up after two days', async () => {
  using history = openState()
  await recordCall(history, { id: 'new' })
  await recordCall(history, { id: 'old' })
  const mark = [machine, 'pid:[1]', '1', start].join(' ')
  await history.journal.change((statements) => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1_000).toISOString()
    statements.run('UPDATE tool_calls SET process = ?, started_at = ?', mark, hoursAgo(47))
    statements.run(`UPDATE tool_calls SET started_at = ? WHERE id = 'old'`, hoursAgo(49))
  })
  const { markInterrupted } = await import('../../../../packages/agent-api/src/state/killed-processes.ts')
  await history.journal.change(markInterrupted)
  expect(history.calls.find('new')?.status).toBe('pending')
  expect(history.calls.find('old')?.status).toBe('interrupted')
})
