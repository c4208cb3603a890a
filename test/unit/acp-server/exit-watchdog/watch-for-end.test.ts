import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  watchForEnd,
  type EndWatch,
} from '../../../../packages/acp-server/src/exit-watchdog/watch-for-end.ts'
import { openPipe, type Pipe } from '../../../support/descriptors.ts'

/** Longer than a process is ever given. */
const longMs = 6_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

interface Watched extends AsyncDisposable {
  readonly watch: EndWatch
  readonly overdue: readonly string[]
  readonly input: Pipe
}

async function watchPipe(): Promise<Watched> {
  const input = await openPipe()
  const overdue: string[] = []
  const watch = watchForEnd({ input: input.reading, onOverdue: (message) => void overdue.push(message) })
  return { watch, overdue, input, [Symbol.asyncDispose]: () => input[Symbol.asyncDispose]() }
}

test('nothing happens without a sign of the end', async () => {
  await using watched = await watchPipe()
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual([])
})

test('a process that does not react to the end of its input is overdue once', async () => {
  await using watched = await watchPipe()
  watched.input.close('writing')
  vi.advanceTimersByTime(500 + 3_100)
  expect(watched.overdue).toEqual([])
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual([
    'ended by force: the editor had closed the input, and the process did not react',
  ])
})

test('a shutdown in progress gets more time', async () => {
  await using watched = await watchPipe()
  watched.watch.noteEnding()
  vi.advanceTimersByTime(4_300)
  expect(watched.overdue).toEqual([])
  vi.advanceTimersByTime(100)
  expect(watched.overdue).toEqual(['ended by force: the shutdown had begun, and the shutdown took too long'])
})

test('the first sign remains the reason of a later shutdown', async () => {
  await using watched = await watchPipe()
  watched.input.close('writing')
  vi.advanceTimersByTime(1_000)
  watched.watch.noteEnding()
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual([
    'ended by force: the editor had closed the input, and the shutdown took too long',
  ])
})
