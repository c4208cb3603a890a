import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'
import { toDraft } from '../servers/draft.ts'
import { ServerForm } from '../servers/server-form.tsx'
import { maskSecrets } from '../../text/command-line.ts'
import { jsonText, visible } from '../../text/visible.ts'

/** The settings of the server, and the form that changes them. */
export function ServerSettings({ server, onSaved }: { readonly server: ServerView; readonly onSaved: () => void }) {
  const [isEditing, setEditing] = useState(false)
  const { entry, secrets, origin } = server
  const rows = Object.entries(entry).filter(([, value]) => value !== undefined && value !== null)
  return (
    <section class="about-server" aria-label="Settings">
      <dl class="facts-table">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd class="mono wrap pre-wrap">{visible(maskSecrets(toText(value), secrets))}</dd>
          </div>
        ))}
      </dl>
      {origin === 'stored' ? (
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

/** Arguments stand one per line, without quotes. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join('\n') : jsonText(value)
}
