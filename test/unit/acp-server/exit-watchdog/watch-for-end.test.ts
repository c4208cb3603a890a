import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createWorkFlag,
  mayRest,
  setBusy,
} from '../../../../packages/acp-server/src/exit-watchdog/work-flag.ts'
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

describe('without work', () => {
  async function watchIdle() {
    const [input, work] = [await openPipe(), createWorkFlag()]
    const overdue: string[] = []
    let looks = 0
    const watch = watchForEnd({
      input: input.reading,
      mayRest: () => {
        looks++
        return mayRest(work)
      },
      onOverdue: (message) => void overdue.push(message),
    })
    return {
      watch,
      overdue,
      input,
      work: (isBusy: boolean) => setBusy(work, isBusy) && watch.noteWork(),
      looksIn(ms: number): number {
        const before = looks
        vi.advanceTimersByTime(ms)
        return looks - before
      },
      [Symbol.asyncDispose]: () => input[Symbol.asyncDispose](),
    }
  }

  test('it looks twice a minute, with work twice a second, and again as often once the work ends', async () => {
    await using watched = await watchIdle()
    watched.looksIn(500)
    expect(watched.looksIn(60_000)).toBe(2)
    watched.work(true)
    expect(watched.looksIn(60_000)).toBe(120)
    watched.work(false)
    expect(watched.looksIn(500)).toBe(1)
    expect(watched.looksIn(60_000)).toBe(2)
  })

  test('work ends the rest: the end of the input is noticed as soon as if there had been none', async () => {
    await using watched = await watchIdle()
    watched.looksIn(1_000)
    watched.work(true)
    watched.input.close('writing')
    vi.advanceTimersByTime(500 + 3_200)
    expect(watched.overdue).toHaveLength(1)
  })

  test('the end of the input is noticed without work, within half a minute', async () => {
    await using watched = await watchIdle()
    watched.looksIn(500)
    watched.input.close('writing')
    vi.advanceTimersByTime(30_000 + 3_200)
    expect(watched.overdue).toHaveLength(1)
  })

  test('work that comes while the process ends does not start the time anew', async () => {
    await using watched = await watchIdle()
    watched.looksIn(500)
    watched.watch.noteEnding()
    vi.advanceTimersByTime(3_000)
    watched.work(true)
    vi.advanceTimersByTime(1_400)
    expect(watched.overdue).toHaveLength(1)
  })

  test.each([
    ['rests: it is told', [false, true], true],
    ['rests, after a second look: it is told', [false, false, true], true],
    ['does not rest: no message', [true, true], false],
  ] as const)('a thread that %s', (_, states, isTold) => {
    const work = createWorkFlag()
    const told = states.map((isBusy) => {
      const isNews = setBusy(work, isBusy)
      mayRest(work)
      return isNews
    })
    expect(told.at(-1)).toBe(isTold)
  })
})
