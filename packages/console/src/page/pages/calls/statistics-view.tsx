import { useState } from 'preact/hooks'
import type { Statistics } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { DayBars } from './day-bars.tsx'
import { DayLines } from './day-lines.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Segments } from '../../parts/segments.tsx'
import { formatCount, formatDuration, formatRate } from '../../text/quantities.ts'
import { formatDay } from '../../text/time.ts'
import { type CallFilterText, noServer } from './call-filter.ts'
import { type CallSeries, toCallSeries } from './to-call-series.ts'

interface StatisticsViewProps {
  readonly isReady: boolean
  /** Its server and tool apply here. */
  readonly filter: CallFilterText
  readonly onSelect: (filter: Pick<CallFilterText, 'server' | 'tool'>) => void
}

const seriesShown = 5

/** Calls, errors and durations per server or tool, and per day. */
export function StatisticsView({ isReady, filter, onSelect }: StatisticsViewProps) {
  const [days, setDays] = useState<'7' | '30' | '90'>('30')
  const [chosen, setBy] = useState<'server' | 'tool'>('server')
  const by = filter.tool === undefined ? chosen : 'tool'
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 60rem)').matches)
  const isIn = ({ server, tool }: CallSeries) => [server ?? noServer, undefined].includes(filter.server) && (filter.tool ?? tool) === tool
  const loaded = useLoaded<Statistics>(isReady && isOpen ? `/api/calls/statistics?days=${days}&by=${by}` : undefined)
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
          {(data) => <Series key={by} by={by} all={toCallSeries(data.days, Number(days), new Date()).filter(isIn)} onSelect={onSelect} />}
        </Loading>
      </div>
    </details>
  )
}

interface SeriesProps extends Pick<StatisticsViewProps, 'onSelect'> {
  readonly all: readonly CallSeries[]
  readonly by: 'server' | 'tool'
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
                    onClick={() => onSelect({ server: server ?? noServer, ...(tool !== null && { tool }) })}
                  >
                    {name}
                  </button>
                </th>
                <td>
                  <DayBars days={days} callsMax={callsMax} label={`${name}: ${formatCount(calls)} calls, ${formatCount(errors)} errors`} />
                </td>
                <td class="number">{formatCount(calls)}</td>
                <td class={`number ${errors > 0 ? 'is-bad' : ''}`}>{formatRate(errors, calls)}</td>
                <td>
                  <DayLines days={days} label={`${name}: durations per day`} />
                </td>
                <td class="number">
                  {last === undefined ? '–' : `${formatDuration(last.p50Ms ?? 0)}, ${formatDuration(last.p95Ms ?? 0)}`}
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
