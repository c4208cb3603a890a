import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallSummary } from '@ostler/agent-api/internal'
import { matchesFilter, parseCallFilter } from '../../../packages/console/src/page/pages/calls/call-filter.ts'
import {
  addOlder,
  type CallList,
  emptyCallList,
  mergeCalls,
  showWaiting,
} from '../../../packages/console/src/page/pages/calls/merge-calls.ts'
import { toCallTimes } from '../../../packages/console/src/page/text/call-status.ts'
import { lastDays, toCallSeries } from '../../../packages/console/src/page/pages/calls/to-call-series.ts'
import { toPoints } from '../../../packages/console/src/page/text/to-points.ts'
import { toTimeline } from '../../../packages/console/src/page/text/to-timeline.ts'

const call = (seq: number, over: Partial<CallSummary> = {}): CallSummary => ({
  seq,
  change: seq,
  id: `c${seq}`,
  agent: 'a',
  sessionId: null,
  turn: null,
  server: 'files',
  tool: 'read',
  status: 'success',
  decision: 'allow',
  rule: 'mode:auto',
  startedAt: '2026-11-18T10:00:00.000Z',
  endedAt: '2026-11-18T10:00:01.000Z',
  waitedMs: null,
  durationMs: 1_000,
  error: null,
  resultBytes: null,
  about: null,
  ...over,
})
const seqs = (calls: readonly CallSummary[]) => calls.map(({ seq }) => seq)

describe('the filter of calls', () => {
  it('is read from the URL', () => {
    expect(parseCallFilter(new URLSearchParams('server=files&status=&id=7&text=a+b'))).toEqual({
      server: 'files',
      text: 'a b',
    })
  })

  it.each([
    [{}, true],
    [{ server: 'files', tool: 'read', status: 'success' }, true],
    [{ server: '-' }, false],
    [{ since: '2026-11-18T10:00:00.001Z' }, false],
    [{ text: 'x' }, undefined],
    [{ text: 'x', tool: 'write' }, false],
  ])('%j: %s', (filter, matches) => expect(matchesFilter(call(1), filter)).toBe(matches))

  it.each([
    ['person:console', false],
    ['unknown', true],
  ])('tells an action in the console from an invented tool: %s', (rule, matches) => {
    expect(
      matchesFilter(call(1, { server: null, tool: 'console:connect-server', rule }), { server: '-' }),
    ).toBe(matches)
  })
})

describe('calls that arrive live', () => {
  const list: CallList = { ...emptyCallList, calls: [call(5), call(4)] }

  it('are added on top, newest first, and update existing ones', () => {
    const merged = mergeCalls(list, [call(6), call(4, { status: 'error' }), call(7)], {}, false)
    expect(seqs(merged.calls)).toEqual([7, 6, 5, 4])
    expect(merged.calls[3]?.status).toBe('error')
  })

  it('wait while a person reads, and are shown on request', () => {
    const reading = mergeCalls(
      mergeCalls(list, [call(6)], {}, true),
      [call(6, { status: 'error' }), call(7)],
      {},
      true,
    )
    expect(seqs(reading.calls)).toEqual([5, 4])
    expect(seqs(reading.waiting)).toEqual([7, 6])
    expect(seqs(showWaiting(reading).calls)).toEqual([7, 6, 5, 4])
  })

  it('are dropped if the filter excludes them, and left to a search if only that can tell', () => {
    expect(mergeCalls(list, [call(6, { server: 'other' })], { server: 'files' }, false)).toEqual(list)
    expect(mergeCalls(list, [call(6)], { text: 'word' }, false)).toEqual({ ...list, isOutdated: true })
  })

  it('are sorted and unique, however they arrive', () => {
    const batch = fc.array(
      fc.integer({ min: 1, max: 30 }).map((seq) => call(seq)),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(batch, fc.boolean())), (batches) => {
        const end = showWaiting(
          batches.reduce((last, [changed, isReading]) => mergeCalls(last, changed, {}, isReading), list),
        )
        const all = seqs(addOlder(end, [call(4), call(3)]).calls)
        expect(all).toEqual([...new Set(all)].toSorted((one, other) => other - one))
      }),
    )
  })
})

describe('charts of calls', () => {
  it('puts the calls of a turn on one timeline', () => {
    const at = (second: number) => `2026-11-18T10:00:0${second}.000Z`
    const calls = [
      call(3, { startedAt: at(3), endedAt: null, durationMs: null }),
      call(1, { startedAt: at(0), durationMs: 2_000 }),
      call(2, { startedAt: at(1), durationMs: 500 }),
    ]
    const { bars, spanMs } = toTimeline(calls, Date.parse(at(4)))
    expect(spanMs).toBe(4_000)
    expect(
      bars.map(({ call: { seq }, fromPercent, widthPercent }) => [seq, fromPercent, widthPercent]),
    ).toEqual([
      [1, 0, 50],
      [2, 25, 12.5],
      [3, 75, 25],
    ])
    expect(toTimeline([], 0)).toEqual({ bars: [], spanMs: 0 })
  })

  it('separates the time a call waited from the time it ran', () => {
    const at = '2026-11-18T10:00:00.000Z'
    const now = Date.parse(at) + 9_000
    const times = (over: Partial<CallSummary>) =>
      Object.values(toCallTimes(call(1, { startedAt: at, ...over }), now))
    expect(times({ durationMs: 5_010, waitedMs: 5_000 })).toEqual([5_000, 10])
    expect(times({ status: 'denied', durationMs: 3_000 })).toEqual([3_000, null])
    expect(times({ status: 'pending', endedAt: null, durationMs: null })).toEqual([9_000, null])
    expect(times({ status: 'running', endedAt: null, durationMs: null, waitedMs: 8_000 })).toEqual([
      8_000, 1_000,
    ])
    // Killed while it ran, and while it waited.
    const ended = { status: 'interrupted', endedAt: '2026-11-18T10:00:03.000Z', durationMs: null } as const
    expect(times({ ...ended, waitedMs: 1_000 })).toEqual([1_000, 2_000])
    expect(times(ended)).toEqual([3_000, null])
    // Recorded before waits were.
    expect(times({ durationMs: 700 })).toEqual([0, 700])
  })

  it('draws a line with gaps', () => {
    expect(toPoints([10, 0, null, 5], 10, 8, 32)).toBe('M4 2L12 30M26.5 16h3')
  })

  it('gives every server the same days', () => {
    const today = new Date('2026-03-01T23:00:00Z')
    expect(lastDays(3, today)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    const day = (name: string, server: string, calls: number, errors = 0) => ({
      day: name,
      server,
      tool: null,
      calls,
      errors,
      denied: 0,
      p50Ms: 1,
      p95Ms: 2,
    })
    const series = toCallSeries(
      [day('2026-02-28', 'a', 2, 1), day('2026-03-01', 'b', 5), day('2026-01-01', 'old', 9)],
      3,
      today,
    )
    expect(
      series.map(({ server, calls, errors, days }) => [
        server,
        calls,
        errors,
        days.map(({ calls }) => calls),
      ]),
    ).toEqual([
      ['b', 5, 0, [0, 0, 5]],
      ['a', 2, 1, [0, 2, 0]],
    ])
    // Empty days before the first call are left out, except those of the last week.
    const shown = (name: string) =>
      toCallSeries([day(name, 'a', 1)], 90, today)[0]?.days.map((each) => each.day)
    expect(shown('2026-02-27')).toEqual(lastDays(7, today))
    expect(shown('2026-02-01')).toEqual(lastDays(29, today))
  })
})
