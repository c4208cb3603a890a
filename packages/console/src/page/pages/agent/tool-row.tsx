import { useId, useState } from 'preact/hooks'
import type { AgentSettings } from '../../../api.ts'
import { describeClaims } from '../questions/describe-claims.ts'
import type { SettingsPart } from './agent-page.tsx'
import { GrantNote } from './grant-note.tsx'
import { ToolLimits } from './tool-limits.tsx'
import { choiceOf, nameOfServer, trustedBy, withChoice, type ToolChoice, type ToolRow } from './tool-rows.ts'
import { Verdict } from './verdict.tsx'

interface ToolRowProps extends Pick<SettingsPart, 'settings' | 'change'> {
  readonly row: ToolRow
  readonly onRevoked: () => void
}

/** A tool: what happens to its calls, and what you can set. */
export function ToolRowView({ row, settings, change, onRevoked }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false)
  const detailsId = useId()
  const { known, grants, tool } = row
  const isOutdated = grants.some(({ verdict, changes = [] }) => verdict === 'allow' && changes.length > 0)
  const said = describeClaims(known?.claims)
  const name = `${nameOfServer(row)} / ${tool}`
  return (
    <>
      <tr class={known?.after === undefined ? undefined : 'is-changed'}>
        <th scope="row">
          <button type="button" class="tool-name" aria-expanded={isOpen} aria-controls={detailsId} onClick={() => setOpen(!isOpen)}>
            <span class="mono wrap">{tool}</span>
          </button>
          <span class="badge">{nameOfServer(row)}</span>
          {known?.origin === 'session' && <span class="badge">{known.isKnown ? 'added by your editor' : 'not open now'}</span>}
          {isOutdated && <span class="badge badge-warn">changed since you allowed it</span>}
          {grants.length > 0 && !isOutdated && (
            <span class="badge">{grants.length === 1 ? 'your answer' : `${grants.length} answers`}</span>
          )}
          {known?.about !== undefined && <p class="muted wrap">{known.about}</p>}
        </th>
        <td>{known === undefined ? <span class="muted">No known server offers it.</span> : <Verdict outcome={known.now} />}</td>
        <td class="after">
          {known?.after !== undefined && (
            <>
              <span class="after-mark">After: </span>
              <Verdict outcome={known.after} />
            </>
          )}
        </td>
        <td>
          <ChoiceSelect row={row} settings={settings} change={change} name={name} />
          {settings.approval.mode === 'trusted-only' && row.server !== undefined && (
            <TrustBox row={row} settings={settings} change={change} name={name} />
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="tool-more">
          <td colSpan={4} id={detailsId}>
            {said !== '' && <p class="muted">Its server says: {said}.</p>}
            {grants.map((grant) => (
              <GrantNote key={grant.id} grant={grant} onRevoked={onRevoked} />
            ))}
            {row.server !== null && <ToolLimits row={row} settings={settings} change={change} />}
            {grants.length === 0 && <p class="muted">You have no “always” answers for this tool.</p>}
          </td>
        </tr>
      )}
    </>
  )
}

type ChoiceProps = Pick<ToolRowProps, 'row' | 'settings' | 'change'> & { readonly name: string }

function ChoiceSelect({ row, settings, change, name }: ChoiceProps) {
  const value = choiceOf(settings, row)
  return (
    <select
      aria-label={`Setting of ${name}`}
      value={value}
      onChange={(event) => change(partOf(withChoice(settings, row, event.currentTarget.value as ToolChoice)))}
    >
      <option value="">No setting</option>
      {(value === 'listed' || row.known?.now.rule === 'server:strict') && <option value="listed">Offer it</option>}
      <option value="allow">Allow</option>
      <option value="ask">Ask</option>
      <option value="deny">Deny</option>
      {row.server === null && <option value="off">Do not offer it</option>}
    </select>
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
          change({ approval: { ...approval, trustedTools: event.currentTarget.checked ? [...others, own] : others } })
        }}
      />
      <span>{isOther ? `Trusted by ${pattern}` : 'Trusted'}</span>
    </label>
  )
}

function partOf({ tools, toolbox }: AgentSettings): Pick<AgentSettings, 'tools' | 'toolbox'> {
  return { tools, toolbox }
}
