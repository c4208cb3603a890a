import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'
import { toDraft } from '../servers/draft.ts'
import { ServerForm } from '../servers/server-form.tsx'
import { toSettingRows } from './setting-rows.ts'

export function ServerSettings({ server, onSaved }: { server: ServerView; onSaved: () => void }) {
  const [isEditing, setEditing] = useState(false)
  return (
    <section class="column about-server" aria-label="Settings">
      <dl class="facts-table">
        {toSettingRows(server).map(({ field, label, value, isCode }) => (
          <div key={field}>
            <dt title={field}>{label}</dt>
            <dd class={`pre-wrap ${isCode ? 'mono' : ''}`}>{value}</dd>
          </div>
        ))}
      </dl>
      {server.origin === 'stored' ? (
        <div class="actions">
          <button type="button" class="button-primary" onClick={() => setEditing(true)}>
            Edit
          </button>
        </div>
      ) : (
        <p class="muted">
          Defined in ostler.yaml. Change it in the file, or under <Link to="/agent">Agent</Link>.
        </p>
      )}
      {isEditing && (
        <ServerForm
          title={`Edit ${server.name}`}
          draft={toDraft(server)}
          server={server}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            onSaved()
          }}
        />
      )}
    </section>
  )
}
