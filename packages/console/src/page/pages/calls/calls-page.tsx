import { useEffect, useState } from 'preact/hooks'
import type { SessionPage } from '../../../api.ts'
import { requestFile } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { DownloadButton } from '../../parts/buttons.tsx'
import { Link } from '../../parts/link.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { navigate, toPath } from '../../route.ts'
import { type CallFilterText, parseCallFilter, parseOpenCalls } from './call-filter.ts'
import { CallList, OneCall } from './call-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import { StatisticsView } from './statistics-view.tsx'
import { useCalls } from './use-calls.ts'

/** Below this scroll position, new calls wait so that the list does not jump. */
const readingFromPx = 120

/** `/calls?server=…&status=…`. `id=` shows one call above the list. */
export function CallsPage({ query }: { query: URLSearchParams }) {
  const filter = parseCallFilter(query)
  const open = parseOpenCalls(query)
  const calls = useCalls(filter, open, () => scrollY > readingFromPx || open.length > 0)
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
    navigate(toPath('/calls', { ...next, id: wanted }), {
      replace: filter.text !== undefined && next.text !== filter.text,
    })
  const id = wanted ?? calls.missing ?? null
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
      {id !== null && (
        <OneCall
          id={id}
          closed={toPath('/calls', { ...filter, open: open.filter((one) => one !== id).join(',') })}
        />
      )}
      {(!isReady || isFiltered || calls.list.calls.length > 0) && (
        <StatisticsView
          isReady={wasReady}
          filter={filter}
          onSelect={(selected) => setFilter({ ...filter, ...selected })}
        />
      )}
      <FilterBar
        filter={filter}
        isReady={wasReady}
        sessions={sessions.data?.sessions ?? []}
        onChange={setFilter}
      />
      <CallList
        label="Calls"
        calls={calls}
        open={open}
        pathWith={(opened) => toPath('/calls', { ...filter, id: wanted, open: opened })}
        titles={titles}
        empty={isFiltered ? 'No call matches these filters' : 'No calls yet'}
      >
        {isFiltered ? (
          <button type="button" onClick={() => setFilter({})}>
            Clear filters
          </button>
        ) : (
          <p>
            Calls appear here when an agent makes one, or when you <Link to="/tools">try a tool</Link>.
          </p>
        )}
      </CallList>
    </PageFrame>
  )
}

function ExportButton({ format, filter }: { format: 'json' | 'csv'; filter: CallFilterText }) {
  const path = toPath('/api/calls/export', { format, ...filter })
  return (
    <DownloadButton
      label={`Export ${format.toUpperCase()}`}
      class=""
      name={`ostler-calls.${format}`}
      content={() => requestFile(path)}
    />
  )
}
