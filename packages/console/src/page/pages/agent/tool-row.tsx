import { approvalWords, describeClaims, describeSizes } from '@ostler/agent-api/browser'
import { useId, useState } from 'preact/hooks'
import type { ToolSetting } from '../../../api.ts'
import { Select, SelectField, TextField } from '../../parts/form.tsx'
import { inclusionWords, optionsOf } from '../../text/setting-words.ts'
import type { SettingsPart } from './agent-page.tsx'
import { GrantNote } from './grant-note.tsx'
import {
  choiceOf,
  entryOf,
  nameOfServer,
  type ToolChoice,
  type ToolRow,
  trustedBy,
  withChoice,
  withEntry,
} from './tool-rows.ts'
import { Verdict } from './verdict.tsx'

interface ToolRowProps extends Pick<SettingsPart, 'settings' | 'change'> {
  row: ToolRow
  onRevoked: () => void
}

export function ToolRowView({ row, settings, change, onRevoked }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false)
  const detailsId = useId()
  const { known, grants, tool } = row
  const isOutdated = grants.some(({ verdict, changes = [] }) => verdict === 'allow' && changes.length > 0)
  const said = describeClaims(known?.claims)
  const choice = { row, settings, change, name: `${nameOfServer(row)} / ${tool}` }
  return (
    <>
      <tr class={known?.after === undefined ? undefined : 'is-changed'}>
        <th scope="row">
          <button
            type="button"
            class="tool-name"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setOpen(!isOpen)}
          >
            <span class="mono">{tool}</span>
          </button>
          <span class="badge">{nameOfServer(row)}</span>
          {known?.origin === 'session' && (
            <span class="badge">{known.isKnown ? 'added by your editor' : 'not open now'}</span>
          )}
          {isOutdated && <span class="badge badge-warn">changed since you allowed it</span>}
          {grants.length > 0 && !isOutdated && (
            <span class="badge">{grants.length === 1 ? 'your answer' : `${grants.length} answers`}</span>
          )}
          {known?.size !== undefined && <span class="badge">{describeSizes([known.size])}</span>}
          {known?.about !== undefined && <p class="muted">{known.about}</p>}
        </th>
        <td>
          {known === undefined ? (
            <span class="muted">No known server offers it.</span>
          ) : (
            <Verdict outcome={known.now} />
          )}
        </td>
        <td class="after">
          {known?.after !== undefined && (
            <>
              <span class="after-mark">After: </span>
              <Verdict outcome={known.after} />
            </>
          )}
        </td>
        <td>
          <ChoiceSelect {...choice} />
          {settings.approval.mode === 'trusted-only' && row.server !== undefined && <TrustBox {...choice} />}
        </td>
      </tr>
      {isOpen && (
        <tr class="tool-more">
          <td colSpan={4} id={detailsId}>
            {said !== '' && <p class="muted">Its server says: {said}.</p>}
            {grants.map((grant) => (
              <GrantNote key={grant.id} grant={grant} onRevoked={onRevoked} />
            ))}
            {row.server !== null && <ToolLimits {...choice} />}
            {grants.length === 0 && <p class="muted">You have no “always” answers for this tool.</p>}
          </td>
        </tr>
      )}
    </>
  )
}

type ChoiceProps = Pick<ToolRowProps, 'row' | 'settings' | 'change'> & { name: string }

function ChoiceSelect({ row, settings, change, name }: ChoiceProps) {
  const value = choiceOf(settings, row)
  const rule = row.known?.now.rule
  const isUnlisted = rule?.by === 'server' && rule.how === 'strict'
  return (
    <Select<ToolChoice>
      aria-label={`Setting of ${name}`}
      value={value}
      options={[
        ['', 'No setting'],
        ...(value === 'listed' || isUnlisted ? [['listed', 'Offer it'] as const] : []),
        ...optionsOf(approvalWords),
        ...(row.server === null ? [['off', 'Do not offer it'] as const] : []),
      ]}
      onChange={(choice) => {
        const { tools, toolbox } = withChoice(settings, row, choice)
        change({ tools, toolbox })
      }}
    />
  )
}

/** Trust counts in the mode “Trusted only”. A pattern for more than this tool is removed above the table. */
function TrustBox({ row, settings, change, name }: ChoiceProps) {
  const { approval } = settings
  const pattern = trustedBy(settings, row)
  const own = `${row.server ?? 'ostler'}:${row.tool}`
  const isOther = pattern !== undefined && pattern !== own
  return (
    <label class="bar trust">
      <input
        type="checkbox"
        aria-label={`Trust ${name}`}
        checked={pattern !== undefined}
        disabled={isOther}
        onChange={(event) => {
          const others = approval.trustedTools.filter((trusted) => trusted !== own)
          change({
            approval: { ...approval, trustedTools: event.currentTarget.checked ? [...others, own] : others },
          })
        }}
      />
      <span>{isOther ? `Trusted by ${pattern}` : 'Trusted'}</span>
    </label>
  )
}

function ToolLimits({ row, settings, change, name }: ChoiceProps) {
  const entry = entryOf(settings, row)
  const set = (field: 'include' | 'maxInstances' | 'timeout', text: string) => {
    const { [field]: _, ...rest } = entry ?? { name: row.tool, server: row.server ?? undefined }
    const value = field === 'include' || !/^\d+$/.test(text) ? text : Number(text)
    const next = (text === '' ? rest : { ...rest, [field]: value }) as ToolSetting
    const isEmpty =
      entry?.approval === undefined && Object.keys(next).every((name) => name === 'name' || name === 'server')
    change({ toolbox: withEntry(settings, row, isEmpty ? undefined : next).toolbox })
  }
  return (
    <fieldset class="tool-limits">
      <legend class="visually-hidden">More settings of {name}</legend>
      <SelectField
        label="When it is offered"
        value={entry?.include ?? ''}
        options={[['', 'Same as server'], ...optionsOf(inclusionWords)]}
        onChange={(include) => set('include', include)}
      />
      <TextField
        label="Parallel calls"
        inputMode="numeric"
        placeholder="5"
        value={String(entry?.maxInstances ?? '')}
        onInput={(text) => set('maxInstances', text.replaceAll(/\D/g, ''))}
      />
      <TextField
        label="Timeout"
        placeholder="30s"
        value={String(entry?.timeout ?? '')}
        onInput={(text) => set('timeout', text.trim())}
      />
    </fieldset>
  )
}
