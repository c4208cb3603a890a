import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateGate, type Clock } from '../../../packages/agent-api/src/policy/rate-gate.ts'
import { createSlots } from '../../../packages/agent-api/src/base/slots.ts'

const live = new AbortController().signal

/** Lets all pending work continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('slots', () => {
  it('never run too many, start everything in order, and lose none, however each ends', async () => {
    const call = fc.record({
      end: fc.constantFrom('return', 'throw', 'cancel-waiting', 'cancel-running'),
      after: fc.nat({ max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(call, { maxLength: 40 }),
        fc.scheduler(),
        async (size, calls, scheduler) => {
          const slots = createSlots({ activeMax: size, of: 'the test' })
          const started: number[] = []
          let running = 0
          const ends = calls.map(async ({ end, after }, index) => {
            const controller = new AbortController()
            const work = async () => {
              started.push(index)
              running++
              expect(running).toBeLessThanOrEqual(size)
              try {
                for (let tick = 0; tick < after; tick++) await scheduler.schedule(Promise.resolve())
                if (end === 'throw') throw new Error('the work failed')
                if (end === 'cancel-running') controller.signal.throwIfAborted()
              } finally {
                running--
              }
            }
            const ended = slots.run(work, controller.signal).catch(() => undefined)
            if (end.startsWith('cancel'))
              void scheduler.schedule(Promise.resolve()).then(() => controller.abort(new Error('cancelled')))
            await ended
          })
          await scheduler.waitFor(Promise.all(ends))
          expect(started).toEqual(started.toSorted((a, b) => a - b))
          expect(calls.every(({ end }, index) => end.startsWith('cancel') || started.includes(index))).toBe(
            true,
          )
          expect(slots).toMatchObject({ active: 0, waiting: 0 })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('reject work when the queue is full', async () => {
    const slots = createSlots({ activeMax: 1, waitingMax: 2, of: "the tool 'slow'" })
    const done = Promise.withResolvers<string>()
    const first = slots.run(() => done.promise, live)
    const waiting = [slots.run(async () => 'second', live), slots.run(async () => 'third', live)]
    await expect(slots.run(async () => 'fourth', live)).rejects.toMatchObject({
      code: 'limits.busy',
      message: "Busy: 2 calls are already waiting for the tool 'slow'. Try again later.",
    })
    done.resolve('first')
    expect(await Promise.all([first, ...waiting])).toEqual(['first', 'second', 'third'])
  })

  it('let a call leave the queue', async () => {
    const slots = createSlots({ activeMax: 1, of: 'the test' })
    const done = Promise.withResolvers<void>()
    const first = slots.run(() => done.promise, live)
    const controller = new AbortController()
    const second = slots.run(async () => 'ran', controller.signal)
    controller.abort(new Error('cancelled'))
    await expect(second).rejects.toThrow('cancelled')
    expect(slots).toMatchObject({ active: 1, waiting: 0 })
    done.resolve()
    await first
    await expect(slots.run(async () => 'ran', AbortSignal.abort(new Error('before')))).rejects.toThrow(
      'before',
    )
    expect(slots).toMatchObject({ active: 0, waiting: 0 })
  })
})

describe('a rate gate', () => {
  /** A clock that advances only when nothing else can continue. */
  function createTestClock(): Clock & { advance(ms: number): Promise<void> } {
    let now = 0
    const sleepers: { until: number; wake: () => void }[] = []
    return {
      now: () => now,
      wait: (ms) => new Promise((wake) => sleepers.push({ until: now + ms, wake })),
      async advance(ms) {
        now += ms
        for (const sleeper of sleepers.splice(0)) {
          if (sleeper.until <= now) sleeper.wake()
          else sleepers.push(sleeper)
        }
        await settle()
      },
    }
  }

  it('never exceeds its rate in any window, and runs everything eventually, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.nat({ max: 30 }), { maxLength: 30 }),
        async (calls, perMs, arrivals) => {
          const clock = createTestClock()
          const gate = createRateGate('the test', { calls, perMs }, clock)
          const passed: { index: number; at: number }[] = []
          const all: Promise<unknown>[] = []
          for (const [index, pause] of arrivals.entries()) {
            await clock.advance(pause)
            all.push(gate.pass(live).then(() => passed.push({ index, at: clock.now() })))
          }
          for (let tick = 0; tick < arrivals.length * 2 + 2; tick++) await clock.advance(perMs)
          await Promise.all(all)
          expect(passed.map(({ index }) => index)).toEqual(arrivals.map((_, index) => index))
          for (const { at } of passed)
            expect(
              passed.filter((other) => other.at >= at && other.at < at + perMs).length,
            ).toBeLessThanOrEqual(calls)
        },
      ),
      { numRuns: 50 },
    )
  })
})
