import { SelectField } from '../../parts/field.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { OriginNote } from './origin-note.tsx'

/** What holds for servers that an editor brings. */
export function SessionServerSettings({ settings: { sessionServers }, view, change }: SettingsPart) {
  return (
    <section class="panel" aria-labelledby="agent-session-servers">
      <h2 id="agent-session-servers">Session servers</h2>
      <p class="muted">Servers that an editor brings with a session. They live as long as it does.</p>
      <div class="form-row">
        <SelectField
          label="Mode of session servers"
          value={sessionServers.mode}
          options={[
            ['dynamic', 'Dynamic: every tool they offer'],
            ['strict', 'Strict: only tools named above'],
          ]}
          onChange={(mode) => change({ sessionServers: { ...sessionServers, mode } })}
        />
        <SelectField
          label="Approval of session servers"
          value={sessionServers.approval ?? ''}
          options={[
            ['', 'As the mode says'],
            ['ask', 'Ask'],
            ['allow', 'Allow'],
            ['deny', 'Deny'],
          ]}
          onChange={(approval) => {
            const { approval: _, ...rest } = sessionServers
            change({ sessionServers: approval === '' ? rest : { ...rest, approval } })
          }}
        />
      </div>
      <OriginNote origins={view.origins} path="sessionServers.mode" />
      <OriginNote origins={view.origins} path="sessionServers.approval" />
    </section>
  )
}
