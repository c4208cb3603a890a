import { once } from 'node:events'
import { constants, readSync, writeSync } from 'node:fs'
import { constants as system } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openUnreadSignals } from '../../../../packages/acp-server/src/exit-watchdog/unread-signals.ts'
import { watchForEnd, type EndWatch } from '../../../../packages/acp-server/src/exit-watchdog/watch-for-end.ts'
import { openOthersPipe, openPipe, openSocketPair, type Pipe } from '../../../support/descriptors.ts'
import { toSignalRecord } from '../../../support/signal-record.ts'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
/** Longer than a process is ever given. */
const longMs = 6_000
const isLinux = process.platform === 'linux'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

interface Watched {
  readonly watch: EndWatch
  readonly overdue: readonly string[]
  readonly goneCount: () => number
}

function watchOver(input: number, output: number): Watched {
  const overdue: string[] = []
  let gone = 0
  const watch = watchForEnd({
    input,
    output,
    signals: openUnreadSignals(),
    onOutputGone: () => void gone++,
    onOverdue: (message) => void overdue.push(message),
  })
  return { watch, overdue, goneCount: () => gone }
}

interface WatchedPipes extends Watched, AsyncDisposable {
  readonly input: Pipe
  readonly output: Pipe
}

async function watchPipes(): Promise<WatchedPipes> {
  const [input, output] = [await openPipe(), await openPipe()]
  const watched = watchOver(input.reading, output.writing)
  return {
    ...watched,
    input,
    output,
    async [Symbol.asyncDispose]() {
      await input[Symbol.asyncDispose]()
      await output[Symbol.asyncDispose]()
    },
  }
}

test('nothing happens without a sign of the end', async () => {
  await using watched = await watchPipes()
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual([])
  expect(watched.goneCount()).toBe(0)
})

test('a process that does not react to the end of its input is overdue once', async () => {
  await using watched = await watchPipes()
  watched.input.close('writing')
  vi.advanceTimersByTime(500 + 3_100)
  expect(watched.overdue).toEqual([])
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual(['ended by force: the editor had closed the input, and the process did not react'])
  expect(watched.goneCount()).toBe(0)
})

test('the end of the output is reported to the main thread', async () => {
  await using watched = await watchPipes()
  watched.output.close('reading')
  vi.advanceTimersByTime(500)
  expect(watched.goneCount()).toBe(1)
  vi.advanceTimersByTime(longMs)
  expect(watched.goneCount()).toBe(1)
  expect(watched.overdue).toEqual(['ended by force: the editor had closed the output, and the process did not react'])
})

test('a shutdown in progress gets more time', async () => {
  await using watched = await watchPipes()
  watched.watch.noteEnding()
  vi.advanceTimersByTime(4_300)
  expect(watched.overdue).toEqual([])
  vi.advanceTimersByTime(100)
  expect(watched.overdue).toEqual(['ended by force: the shutdown had begun, and the shutdown took too long'])
})

test('the first sign remains the reason of a later shutdown', async () => {
  await using watched = await watchPipes()
  watched.input.close('writing')
  vi.advanceTimersByTime(1_000)
  watched.watch.noteEnding()
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual(['ended by force: the editor had closed the input, and the shutdown took too long'])
})

test('a half-closed socket is still the output, until it is closed', async () => {
  await using input = await openPipe()
  await using output = await openSocketPair()
  const { overdue, goneCount } = watchOver(input.reading, output.descriptor)
  output.other.end()
  await once(output.other, 'finish')
  vi.advanceTimersByTime(longMs)
  expect(goneCount()).toBe(0)
  output.other.destroy()
  await once(output.other, 'close')
  vi.advanceTimersByTime(longMs)
  expect(goneCount()).toBe(1)
  expect(overdue).toHaveLength(1)
})

test.runIf(isLinux).each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s that the main thread does not come to is a sign', async (name) => {
  await using pipe = await openOthersPipe()
  pipe.open(O_RDONLY | O_NONBLOCK)
  const signalOutput = pipe.open(O_WRONLY | O_NONBLOCK)
  await using watched = await watchPipes()
  writeSync(signalOutput, toSignalRecord(system.signals[name]))
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual([`ended by force: the process had received a signal to end (${name}), and the process did not react`])
})

test.runIf(isLinux)('a signal that does not end the process is ignored', async () => {
  await using pipe = await openOthersPipe()
  const signalInput = pipe.open(O_RDONLY | O_NONBLOCK)
  const signalOutput = pipe.open(O_WRONLY | O_NONBLOCK)
  await using watched = await watchPipes()
  writeSync(signalOutput, toSignalRecord(system.signals.SIGCHLD))
  vi.advanceTimersByTime(longMs)
  expect(watched.overdue).toEqual([])
  expect(readSync(signalInput, Buffer.alloc(100))).toBe(16)
})
