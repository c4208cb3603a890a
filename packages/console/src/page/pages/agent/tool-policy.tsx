import { counted, describeSizes } from '@ostler/agent-api/browser'
import { useMemo, useState } from 'preact/hooks'
import type { Policy } from '../../../api.ts'
import { Empty, Failure } from '../../parts/loading.tsx'
import { Select, TextField, SearchField } from '../../parts/form.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { ToolRowView } from './tool-row.tsx'
import { countChanges, findRows, nameOfServer, toRows, type RowFilter } from './tool-rows.ts'
import type { Judged } from './use-policy.ts'

const shownMax = 50

const filters: readonly (readonly [RowFilter, string])[] = [
  ['all', 'All'],
  ['allow', 'Allowed'],
  ['ask', 'Asked'],
  ['deny', 'Denied or not offered'],
  ['changed', 'Changed by your edit'],
]

export function ToolPolicy({
  settings,
  change,
  policy: { data, error, reload },
}: SettingsPart & { policy: Judged<Policy> }) {
  const [text, setText] = useState('')
  const [server, setServer] = useState('')
  const [filter, setFilter] = useState<RowFilter>('all')
  const [shown, setShown] = useState(shownMax)
  // There may be thousands of tools, and each key in the search renders this again.
  const { tools } = settings.toolbox
  const rows = useMemo(() => (data === undefined ? [] : toRows(data, tools)), [data, tools])
  const found = useMemo(() => findRows(rows, { text, server, filter }), [rows, text, server, filter])
  const isEdited = useMemo(() => data?.tools.some(({ after }) => after !== undefined) === true, [data])
  const servers = useMemo(() => [...new Set(rows.map(nameOfServer))], [rows])
  return (
    <section class="panel" aria-labelledby="agent-tools">
      <div class="section-head">
        <h2 id="agent-tools" tabIndex={-1}>
          Tools
        </h2>
        <span class="count" role="status">
          {found.length === rows.length
            ? counted(rows.length, 'tool')
            : `${found.length} of ${counted(rows.length, 'tool')}`}
        </span>
      </div>
      <p class="muted">
        What happens to a call in a new session, and why. A setting here comes before the approval mode.
        {data !== undefined && ` All definitions together: ${sizeOf(data)}.`}
      </p>
      {data !== undefined && <Summary policy={data} />}
      <Failure failure={error} onRetry={reload} />
      <div class="toolbar">
        <SearchField label="Search tools" value={text} onInput={setText} />
        <Select
          aria-label="Server"
          value={server}
          options={[['', 'All servers'], ...servers.map((name) => [name, name] as const)]}
          onChange={setServer}
        />
        <Select aria-label="Outcome" value={filter} options={filters} onChange={setFilter} />
      </div>
      {data === undefined && error === undefined && <p class="loading">Loading…</p>}
      {data !== undefined && found.length === 0 && <Empty title="No tool matches" />}
      {found.length > 0 && (
        <table class={`tool-policy ${isEdited ? 'has-after' : ''}`}>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Now</th>
              <th scope="col" class="after">
                After your changes
              </th>
              <th scope="col">Setting</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown).map((row) => (
              <ToolRowView key={row.key} row={row} settings={settings} change={change} onRevoked={reload} />
            ))}
          </tbody>
        </table>
      )}
      {found.length > shown && (
        <button type="button" class="older" onClick={() => setShown(shown + shownMax)}>
          Show {Math.min(shownMax, found.length - shown)} more
        </button>
      )}
      {data !== undefined && data.unknown.length > 0 && (
        <p class="muted">
          Tools not known yet: {data.unknown.join(', ')}. Connect{' '}
          {data.unknown.length === 1 ? 'this server' : 'these servers'} once, here or in your editor.
        </p>
      )}
      <AddTool settings={settings} change={change} />
    </section>
  )
}

function sizeOf({ tools }: Policy): string {
  return describeSizes(tools.flatMap(({ size = [] }) => size))
}

function Summary({ policy: { tools, issues } }: { policy: Policy }) {
  const { looser, destructive, stricter } = useMemo(() => countChanges(tools), [tools])
  if (issues.length > 0)
    return <p class="note note-warn">Your changes are not valid yet, so their effect is not shown.</p>
  if (looser + stricter === 0) return null
  const parts = [
    looser === 0
      ? ''
      : `${counted(looser, 'tool')} will need approval less often${destructive === 0 ? '' : `, ${destructive} of them can destroy things`}`,
    stricter === 0 ? '' : `${counted(stricter, 'tool')} will be asked about or denied`,
  ].filter(Boolean)
  return (
    <p class={looser > 0 ? 'note note-warn' : 'note'} role="status">
      With your changes, {parts.join('; ')}.
    </p>
  )
}

/** A tool that no server offers now, such as one of a server that your editor adds. */
function AddTool({ settings, change }: Pick<SettingsPart, 'settings' | 'change'>) {
  const [name, setName] = useState('')
  const [server, setServer] = useState('')
  const { toolbox } = settings
  const wanted = { name: name.trim(), server: server.trim() || undefined }
  const isThere = toolbox.tools.some((entry) => entry.name === wanted.name && entry.server === wanted.server)
  return (
    <details>
      <summary>Add a setting for a tool that is not in the list</summary>
      <div class="form-row">
        <TextField label="Tool name" isMono value={name} onInput={setName} />
        <TextField
          label="Server"
          hint="Leave empty for tools of this name on any server."
          value={server}
          onInput={setServer}
        />
      </div>
      <button
        type="button"
        class="button-small"
        disabled={wanted.name === '' || isThere}
        onClick={() => {
          change({ toolbox: { ...toolbox, tools: [...toolbox.tools, { ...wanted, approval: 'ask' }] } })
          setName('')
        }}
      >
        Add setting
      </button>
    </details>
  )
}
