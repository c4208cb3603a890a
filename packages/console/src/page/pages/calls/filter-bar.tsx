import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallFilters, SessionPage } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Select, SearchField } from '../../parts/form.tsx'
import { statusWords } from '../../text/call-status.ts'
import { optionsOf } from '../../text/setting-words.ts'
import { type CallFilterText, consolePrefix, noServer } from './call-filter.ts'

interface FilterBarProps {
  filter: CallFilterText
  /** False delays loading the filter options until the calls are loaded. */
  isReady: boolean
  sessions: SessionPage['sessions']
  onChange: (filter: CallFilterText) => void
}

const searchAfterMs = 250
const hourMs = 60 * 60 * 1_000
/** Hours until now. */
const times = [
  ['', 'Time: all'],
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['between', 'Between…'],
] as const

export function FilterBar({ filter, isReady, sessions, onChange }: FilterBarProps) {
  const filters = useLoaded<CallFilters>(isReady ? '/api/calls/filters' : undefined)
  const [text, setText] = useState(filter.text ?? '')
  const [isBetween, setBetween] = useState(false)
  useEffect(() => setText(filter.text ?? ''), [filter.text])
  useEffect(() => {
    if (text === (filter.text ?? '')) return undefined
    const timer = setTimeout(() => set({ text }), searchAfterMs)
    return () => clearTimeout(timer)
  }, [text])

  // The search is debounced, so another filter may have changed by then.
  const latest = useRef(filter)
  latest.current = filter
  const set = (change: CallFilterText) => onChange({ ...latest.current, ...change })
  const hasTimes = isBetween || filter.since !== undefined || filter.until !== undefined
  const isFiltered = Object.keys(filter).length > 0
  return (
    <div class="flow filters" role="search" aria-label="Filter calls">
      <SearchField label="Search calls" value={text} onInput={setText} />
      <Choice
        label="Status"
        value={filter.status}
        options={optionsOf(statusWords)}
        onChange={(status) => set({ status })}
      />
      <Choice
        label="Server"
        value={filter.server}
        options={[
          ...(filters.data?.servers ?? []).map((name) => [name, name] as const),
          [noServer, 'Built-in tools'],
        ]}
        onChange={(server) => set({ server })}
      />
      <Choice
        label="Tool"
        value={filter.tool}
        options={(filters.data?.tools ?? [])
          .filter((name) => !name.startsWith(consolePrefix))
          .map((name) => [name, name])}
        onChange={(tool) => set({ tool })}
      />
      <Choice
        label="Session"
        value={filter.session}
        options={sessions.map(({ id, title }) => [id, title ?? id])}
        onChange={(session) => set({ session, turn: '' })}
      />
      <Select
        class={hasTimes ? 'is-set' : undefined}
        aria-label="Time"
        value={hasTimes ? 'between' : ''}
        options={times}
        onChange={(chosen) => {
          const hours = Number(chosen)
          if (hours === 0) set({ since: '', until: '' })
          else if (hours > 0) set({ since: new Date(Date.now() - hours * hourMs).toISOString(), until: '' })
          setBetween(Number.isNaN(hours))
        }}
      />
      {hasTimes && (
        <>
          <Moment label="From" value={filter.since} onChange={(since) => set({ since })} />
          <Moment label="To" value={filter.until} onChange={(until) => set({ until })} />
        </>
      )}
      {filter.turn !== undefined && <span class="badge">Turn {filter.turn}</span>}
      {isFiltered && (
        <button type="button" class="button-small" onClick={() => onChange({})}>
          Clear filters
        </button>
      )}
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string) => void
}

function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  const isKnown = value === '' || options.some(([option]) => option === value)
  return (
    <Select
      class={value === '' ? undefined : 'is-set'}
      aria-label={label}
      value={value}
      options={[['', `${label}: all`], ...(isKnown ? [] : [[value, value] as const]), ...options]}
      onChange={onChange}
    />
  )
}

/** Shows local time. The filter uses UTC. */
function Moment({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <label class="bar moment">
      <span>{label}</span>
      <input
        type="datetime-local"
        value={value === undefined ? '' : toLocal(value)}
        onChange={(event) => {
          const time = new Date(event.currentTarget.value)
          onChange(Number.isNaN(time.getTime()) ? '' : time.toISOString())
        }}
      />
    </label>
  )
}

function toLocal(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
