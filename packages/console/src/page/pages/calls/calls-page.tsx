import type { CallSummary } from '@ostler/agent-api/manage'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SessionPage } from '../../../api.ts'
import { requestFile } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { DownloadButton } from '../../parts/download.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Link } from '../../parts/link.tsx'
import { moveFocus } from '../../parts/move-focus.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { navigate, toPath } from '../../route.ts'
import { type CallFilterText, parseCallFilter } from './call-filter.ts'
import { CallRow } from './call-row.tsx'
import { FilterBar } from './filter-bar.tsx'
import { OneCall } from './one-call.tsx'
import { parseOpenCalls, withToggled } from './open-calls.ts'
import { StatisticsView } from './statistics-view.tsx'
import { useCalls } from './use-calls.ts'

/** Below this scroll position, new calls wait so that the list does not jump. */
const readingFromPx = 120

/** `/calls?server=…&status=…`. `id=` shows one call above the list. */
export function CallsPage({ query }: { readonly query: URLSearchParams }) {
  const filter = parseCallFilter(query)
  const open = parseOpenCalls(query)
  const calls = useCalls(filter, () => scrollY > readingFromPx || open.length > 0)
  const isReady = !calls.isLoading
  const [wasReady, setWasReady] = useState(false)
  useEffect(() => {
    if (isReady && calls.failure === undefined) setWasReady(true)
  }, [isReady, calls.failure])

  const sessions = useLoaded<SessionPage>(wasReady ? '/api/sessions' : undefined, 'sessions')
  const titles = new Map(sessions.data?.sessions.map(({ id, title }) => [id, title]))
  const wanted = query.get('id')
  // All typing together adds one step to the browser's history; any other change adds one each.
  const setFilter = (next: CallFilterText) =>
    navigate(toPath('/calls', { ...next, id: wanted }), { replace: filter.text !== undefined && next.text !== filter.text })
  const toggle = ({ id }: CallSummary) => navigate(toPath('/calls', { ...filter, id: wanted, open: withToggled(open, id) }))
  // An opened call is in the address of the page, and is shown again even if it is not among the newest.
  const missing = isReady ? open.find((one) => !calls.list.calls.some((call) => call.id === one)) : undefined
  const id = wanted ?? missing ?? null
  const newCount = calls.list.waiting.length
  const isFiltered = Object.keys(filter).length > 0
  return (
    <PageFrame
      title="Calls"
      about="Every tool call, live and past."
      actions={
        <>
          <ExportButton format="json" filter={filter} />
          <ExportButton format="csv" filter={filter} />
        </>
      }
    >
      {id !== null && <OneCall id={id} closed={toPath('/calls', { ...filter, open: open.filter((one) => one !== id).join(',') })} />}
      {(!isReady || isFiltered || calls.list.calls.length > 0) && (
        <StatisticsView isReady={wasReady} filter={filter} onSelect={(selected) => setFilter({ ...filter, ...selected })} />
      )}
      <FilterBar filter={filter} isReady={wasReady} sessions={sessions.data?.sessions ?? []} onChange={setFilter} />
      <Failure failure={calls.failure} onRetry={calls.reload} />
      <section class={`call-list ${calls.isLoading ? 'is-loading' : ''}`} aria-label="Calls" aria-busy={calls.isLoading}>
        <div class="new-calls" role="status">
          {(newCount > 0 || calls.list.isOutdated) && (
            <button
              type="button"
              class="button-primary"
              onClick={() => {
                calls.showNew()
                scrollTo({ top: 0 })
              }}
            >
              {newCount > 0 ? `${newCount} new` : 'Show new calls'}
            </button>
          )}
        </div>
        {calls.list.calls.length > 0 && (
          <p class="call-heads muted" aria-hidden="true">
            {['Started', 'Status', 'Tool', 'Ran', 'Session'].map((name) => (
              <span key={name}>{name}</span>
            ))}
          </p>
        )}
        <ul onKeyDown={(event) => moveFocus(event, 'button.call-head')}>
          {calls.list.calls.map((call) => (
            <CallRow
              key={call.id}
              call={call}
              sessionTitle={titles.get(call.sessionId ?? '')}
              isOpen={open.includes(call.id)}
              onToggle={toggle}
            />
          ))}
        </ul>
        {calls.isLoading && calls.list.calls.length === 0 && <p class="loading">Loading…</p>}
        {isReady && calls.failure === undefined && calls.list.calls.length === 0 && (
          <Empty title={isFiltered ? 'No call matches these filters' : 'No calls yet'}>
            {isFiltered ? (
              <button type="button" onClick={() => setFilter({})}>
                Clear filters
              </button>
            ) : (
              <p>
                Calls appear here when an agent makes one, or when you <Link to="/tools">try a tool</Link>.
              </p>
            )}
          </Empty>
        )}
        {calls.hasOlder && <Older isLoading={calls.isLoadingOlder} onWanted={calls.loadOlder} />}
      </section>
    </PageFrame>
  )
}

/** Loads older calls when it is scrolled into view or pressed. */
function Older({ isLoading, onWanted }: { readonly isLoading: boolean; readonly onWanted: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onWanted)
  latest.current = onWanted
  useEffect(() => {
    if (button.current === null || isLoading) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isLoading])
  return (
    <button ref={button} type="button" class="older" disabled={isLoading} onClick={onWanted}>
      {isLoading ? 'Loading…' : 'Load older'}
    </button>
  )
}

function ExportButton({ format, filter }: { readonly format: 'json' | 'csv'; readonly filter: CallFilterText }) {
  const path = toPath('/api/calls/export', { format, ...filter })
  return (
    <DownloadButton label={`Export ${format.toUpperCase()}`} class="" name={`ostler-calls.${format}`} content={() => requestFile(path)} />
  )
}
