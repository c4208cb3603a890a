import type { CallStatistics } from '../../../api.ts'

export interface CallSeries {
  readonly server: string | null
  /** Null if all tools are counted together. */
  readonly tool: string | null
  readonly calls: number
  readonly errors: number
  readonly days: readonly DayValue[]
}

export type DayValue = Pick<CallStatistics, 'day' | 'calls' | 'errors' | 'p50Ms' | 'p95Ms'>

const dayMs = 24 * 60 * 60 * 1_000

/** Days before the first call are left out if there are more days than these. */
const daysMin = 7

/** Groups by server and tool, busiest first. Later days without calls are included, so that all series have the same days. */
export function toCallSeries(
  statistics: readonly CallStatistics[],
  days: number,
  today: Date,
): readonly CallSeries[] {
  const all = lastDays(days, today)
  const first = statistics.reduce((least, { day }) => (day < least ? day : least), all.at(-daysMin) ?? '')
  const names = all.filter((day) => day >= first)
  return [...Map.groupBy(statistics, ({ server, tool }) => JSON.stringify([server, tool])).values()]
    .map((own) => {
      const { server = null, tool = null } = own[0] ?? {}
      const byDay = new Map(own.map((value) => [value.day, value]))
      const values = names.map(
        (day): DayValue => byDay.get(day) ?? { day, calls: 0, errors: 0, p50Ms: null, p95Ms: null },
      )
      return { server, tool, calls: sum(values, 'calls'), errors: sum(values, 'errors'), days: values }
    })
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => other.calls - one.calls)
}

/** UTC days, as in the database, oldest first. */
export function lastDays(count: number, today: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(today.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}

function sum(values: readonly DayValue[], field: 'calls' | 'errors'): number {
  return values.reduce((total, value) => total + value[field], 0)
}
