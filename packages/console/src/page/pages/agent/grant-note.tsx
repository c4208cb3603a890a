import { useState } from 'preact/hooks'
import type { GrantDifference, GrantView } from '../../../api.ts'
import { request } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { DefinitionDiff } from '../../parts/diff-view.tsx'
import { Loading } from '../../parts/loading.tsx'
import { focusAfterDialog } from '../../parts/move-focus.ts'
import { Time } from '../../parts/time.tsx'

export function GrantNote({ grant, onRevoked }: { grant: GrantView; onRevoked: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { id, verdict, limit, changes = [], createdAt, boundTo } = grant
  const name = nameOf(grant)
  const isOutdated = verdict === 'allow' && changes.length > 0
  const revoke = async () => {
    await request(`/api/grants/${id}`, { method: 'DELETE' })
    setAsking(false)
    announce('Revoked. You will be asked again.')
    onRevoked()
    focusAfterDialog('#agent-tools')
  }
  return (
    <div class="grant">
      <div class="row-main">
        <span class={`badge ${isOutdated ? 'badge-warn' : verdict === 'allow' ? 'badge-good' : 'badge-bad'}`}>
          {verdict === 'allow' ? 'Always allow' : 'Always reject'}
        </span>
        {limit !== undefined && <code>{limit}</code>}
        <span class="muted">
          <Time at={createdAt} />
        </span>
        <button
          type="button"
          class="button-small"
          aria-label={`Revoke ${name}`}
          onClick={() => setAsking(true)}
        >
          Revoke
        </button>
      </div>
      {isOutdated && (
        <>
          <p class="server-warning">
            No longer valid, because the tool has changed: {changes.join(', ')}. You will be asked again.
          </p>
          <Difference id={id} />
        </>
      )}
      {Object.keys(boundTo).length > 0 && (
        <details class="bound">
          <summary>
            {verdict === 'allow' && !isOutdated
              ? 'Valid until one of these changes'
              : 'The tool as it was when you answered'}
          </summary>
          <dl>
            {Object.entries(boundTo).map(([part, value]) => (
              <div key={part}>
                <dt>{part}</dt>
                <dd class="mono">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {isAsking && (
        <Confirm
          title={`Revoke ${name}?`}
          action="Revoke"
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={revoke}
        >
          <p>The agent will follow its other rules for this tool again.</p>
        </Confirm>
      )}
    </div>
  )
}

function Difference({ id }: { id: number }) {
  return (
    <Loading of={useLoaded<GrantDifference>(`/api/grants/${id}/difference`)}>
      {(loaded) => <DefinitionDiff {...loaded} />}
    </Loading>
  )
}

function nameOf({ server, tool, limit }: GrantView): string {
  const name = server === null ? tool : `${server} / ${tool}`
  return limit === undefined ? name : `${name}: ${limit}`
}
