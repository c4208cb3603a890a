import { counted, formatDuration } from '@ostler/agent-api/browser'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Statistics } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Loading } from '../../parts/loading.tsx'
import { Segments } from '../../parts/form.tsx'
import { formatCount, formatRate } from '../../text/quantities.ts'
import { formatDay } from '../../text/time.ts'
import { toPoints } from '../../text/to-points.ts'
import { type CallFilterText, noServer } from './call-filter.ts'
import { type CallSeries, type DayValue, toCallSeries } from './to-call-series.ts'

interface StatisticsViewProps {
  isReady: boolean
  filter: CallFilterText
  onSelect: (filter: Pick<CallFilterText, 'server' | 'tool'>) => void
}

const seriesShown = 5

export function StatisticsView({ isReady, filter, onSelect }: StatisticsViewProps) {
  const [days, setDays] = useState<'7' | '30' | '90'>('30')
  const [chosen, setBy] = useState<'server' | 'tool'>('server')
  const by = filter.tool === undefined ? chosen : 'tool'
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 60rem)').matches)
  const isIn = ({ server, tool }: CallSeries) =>
    [server ?? noServer, undefined].includes(filter.server) && (filter.tool ?? tool) === tool
  const loaded = useLoaded<Statistics>(
    isReady && isOpen ? `/api/calls/statistics?days=${days}&by=${by}` : undefined,
  )
  return (
    <details class="box statistics" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Statistics</summary>
      <div class="column statistics-body">
        <Segments
          label="Days"
          isLabelHidden
          value={days}
          options={[
            ['7', '7 days'],
            ['30', '30 days'],
            ['90', '90 days'],
          ]}
          onChange={setDays}
        />
        <Segments
          label="Group by"
          isLabelHidden
          value={by}
          options={[
            ['server', 'Per server'],
            ['tool', 'Per tool'],
          ]}
          onChange={setBy}
        />
        <Loading of={loaded}>
          {(data) => (
            <Series
              key={by}
              by={by}
              all={toCallSeries(data.days, Number(days), new Date()).filter(isIn)}
              onSelect={onSelect}
            />
          )}
        </Loading>
      </div>
    </details>
  )
}

interface SeriesProps extends Pick<StatisticsViewProps, 'onSelect'> {
  all: readonly CallSeries[]
  by: 'server' | 'tool'
}

function Series({ all, by, onSelect }: SeriesProps) {
  const [isWhole, setWhole] = useState(false)
  if (all.length === 0) return <p class="muted">No calls in this period.</p>
  const shown = isWhole ? all : all.slice(0, seriesShown)
  const callsMax = Math.max(...all.flatMap(({ days }) => days.map(({ calls }) => calls)))
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`Statistics per ${by}, scrollable`}>
      <table class="statistics-table">
        <thead>
          <tr>
            <th scope="col">{by === 'server' ? 'Server' : 'Tool'}</th>
            <th scope="col">Calls per day</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col">
              Duration per day: <span class="key-p50">p50</span>, <span class="key-p95">p95</span>
            </th>
            <th scope="col" class="number">
              Latest p50, p95
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((series) => {
            const { server, tool, calls, errors, days } = series
            const last = days.findLast(({ p50Ms }) => p50Ms !== null)
            const name = [server ?? 'Built-in tools', ...(tool === null ? [] : [tool])].join(': ')
            return (
              <tr key={name}>
                <th scope="row">
                  <button
                    type="button"
                    class="button-link"
                    onClick={() => onSelect({ server: server ?? noServer, tool: tool ?? undefined })}
                  >
                    {name}
                  </button>
                </th>
                <td>
                  <DayBars
                    days={days}
                    callsMax={callsMax}
                    label={`${name}: ${formatCount(calls)} calls, ${formatCount(errors)} errors`}
                  />
                </td>
                <td class="number">{formatCount(calls)}</td>
                <td class={`number ${errors > 0 ? 'is-bad' : ''}`}>{formatRate(errors, calls)}</td>
                <td>
                  <DayLines days={days} label={`${name}: durations per day`} />
                </td>
                <td class="number">
                  {last === undefined
                    ? '–'
                    : `${formatDuration(last.p50Ms ?? 0)}, ${formatDuration(last.p95Ms ?? 0)}`}
                  {last !== undefined && <div class="muted">{formatDay(last.day)}</div>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="muted">Errors are calls that failed or were interrupted.</p>
      {all.length > shown.length && (
        <button type="button" class="button-small" onClick={() => setWhole(true)}>
          Show all {all.length} {by}s
        </button>
      )}
    </div>
  )
}

const height = 32
const barWidth = 8

function DayBars({ days, callsMax, label }: { days: readonly DayValue[]; callsMax: number; label: string }) {
  const scale = (count: number) => (count === 0 ? 0 : Math.max((count / Math.max(callsMax, 1)) * height, 1.5))
  return (
    <Chart days={days} label={label}>
      {days.map(({ day, calls, errors }, index) => {
        const whole = scale(calls)
        const failed = Math.min(scale(errors), whole)
        const x = index * barWidth + 1
        return (
          <g key={day}>
            <title>{`${formatDay(day)}: ${counted(calls, 'call')}, ${counted(errors, 'error')}`}</title>
            <rect class="bar-space" x={index * barWidth} y={0} width={barWidth} height={height} />
            <rect class="bar-calls" x={x} y={height - whole} width={barWidth - 2} height={whole} />
            <rect class="bar-errors" x={x} y={height - failed} width={barWidth - 2} height={failed} />
          </g>
        )
      })}
    </Chart>
  )
}

/** p50 and p95 per day as lines. A day without calls leaves a gap. */
function DayLines({ days, label }: { days: readonly DayValue[]; label: string }) {
  const top = Math.max(...days.map(({ p95Ms }) => p95Ms ?? 0), 1)
  const line = (values: readonly (number | null)[]) => toPoints(values, top, barWidth, height)
  return (
    <Chart days={days} label={label}>
      <path class="line-p95" d={line(days.map(({ p95Ms }) => p95Ms))} />
      <path class="line-p50" d={line(days.map(({ p50Ms }) => p50Ms))} />
      {days.map(({ day, p50Ms, p95Ms }, index) => (
        <rect key={day} class="bar-space" x={index * barWidth} y={0} width={barWidth} height={height}>
          <title>
            {p50Ms === null
              ? `${formatDay(day)}: no calls`
              : `${formatDay(day)}: p50 ${formatDuration(p50Ms)}, p95 ${formatDuration(p95Ms ?? p50Ms)}`}
          </title>
        </rect>
      ))}
    </Chart>
  )
}

interface ChartProps {
  days: readonly DayValue[]
  label: string
  children: ComponentChildren
}

function Chart({ days, label, children }: ChartProps) {
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${days.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  )
}
