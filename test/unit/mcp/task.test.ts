import { expect, test } from 'vitest'
import { parseTask } from '../../../packages/agent-api/src/mcp/task.ts'

const task = { taskId: 't', status: 'working' }

test.each<[string, object, object]>([
  ['a task that works', task, { id: 't', state: 'working', message: undefined, pollMs: 1_000 }],
  ['what it says of itself', { ...task, statusMessage: 'half' }, { message: 'half' }],
  ['one that asks', { ...task, status: 'input_required' }, { state: 'asking' }],
  ['one that is done', { ...task, status: 'completed' }, { state: 'ended' }],
  ['one that failed', { ...task, status: 'failed' }, { state: 'ended' }],
  ['one that was cancelled', { ...task, status: 'cancelled' }, { state: 'ended' }],
  ['a pause', { ...task, pollInterval: 700 }, { pollMs: 700 }],
  ['a pause that would be a flood', { ...task, pollInterval: 0 }, { pollMs: 100 }],
  ['a pause that would never end', { ...task, pollInterval: Infinity }, { pollMs: 10_000 }],
  ['an invalid pause', { ...task, pollInterval: 'soon' }, { pollMs: 1_000 }],
])('reads %s', (_, raw, expected) => {
  expect(parseTask(raw)).toMatchObject(expected)
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no id', { status: 'working' }],
  ['an empty id', { ...task, taskId: '' }],
  ['an endless id', { ...task, taskId: 't'.repeat(1_001) }],
  ['no status', { taskId: 't' }],
  ['an unknown status', { ...task, status: 'toString' }],
])('refuses %s', (_, raw) => {
  expect(() => parseTask(raw)).toThrow('the server answered with an invalid task')
})
