import { useState } from 'preact/hooks'
import type { AgentView } from '../../../api.ts'
import { request } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { focusAfterDialog } from '../../parts/move-focus.ts'
import { Time } from '../../parts/time.tsx'

type Grant = AgentView['grants'][number]

/** Lists the person's “always” answers. */
export function GrantList({ grants, onRevoked }: { readonly grants: readonly Grant[]; readonly onRevoked: () => void }) {
  const [asked, setAsked] = useState<Grant | undefined>()
  const revoke = async (grant: Grant) => {
    await request(`/api/grants/${grant.id}`, { method: 'DELETE' })
    setAsked(undefined)
    announce('Revoked. You will be asked again.')
    onRevoked()
    focusAfterDialog('#agent-grants')
  }
  return (
    <section class="panel" aria-labelledby="agent-grants">
      <h2 id="agent-grants" tabIndex={-1}>
        Grants
      </h2>
      {grants.length === 0 ? (
        <p class="muted">None yet. “Always” answers appear here.</p>
      ) : (
        <ul class="rows" aria-label="Grants">
          {grants.map((grant) => (
            <li key={grant.id} class="row">
              <div class="row-main">
                <span class={`badge ${grant.verdict === 'allow' ? 'badge-good' : 'badge-bad'}`}>
                  {grant.verdict === 'allow' ? 'Always allow' : 'Always deny'}
                </span>
                <strong>{nameOf(grant)}</strong>
                <span class="muted">
                  <Time at={grant.createdAt} />
                </span>
                <span class="spacer" />
                <button type="button" class="button-small" aria-label={`Revoke ${nameOf(grant)}`} onClick={() => setAsked(grant)}>
                  Revoke
                </button>
              </div>
              {grant.changes !== undefined && grant.changes.length > 0 && (
                <p class="server-warning">No longer valid: the tool has changed ({grant.changes.join(', ')}). You will be asked again.</p>
              )}
              {Object.keys(grant.boundTo).length > 0 && (
                <details class="bound">
                  <summary>Valid until one of these changes</summary>
                  <dl>
                    {Object.entries(grant.boundTo).map(([part, value]) => (
                      <div key={part}>
                        <dt>{part}</dt>
                        <dd class="mono wrap">{value}</dd>
                      </div>
                    ))}
                  </dl>
                </details>
              )}
            </li>
          ))}
        </ul>
      )}
      {asked !== undefined && (
        <Confirm
          title={`Revoke ${nameOf(asked)}?`}
          action="Revoke"
          isDangerous
          onClose={() => setAsked(undefined)}
          onConfirm={() => revoke(asked)}
        >
          <p>The agent will follow its other rules for this tool again.</p>
        </Confirm>
      )}
    </section>
  )
}

function nameOf({ server, tool, limit }: Grant): string {
  const name = server === null ? tool : `${server} / ${tool}`
  return limit === undefined ? name : `${name}: ${limit}`
}
