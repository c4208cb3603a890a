import { SelectField, TextField } from '../../parts/field.tsx'
import { approvalWords, modeWords, optionsOf } from '../../text/setting-words.ts'
import type { SettingsPart } from './agent-page.tsx'
import { OriginNotes } from './origin-note.tsx'

/** The settings for servers that an editor adds. */
export function SessionServerSettings({ settings: { sessionServers }, view, change }: SettingsPart) {
  const { rateLimit, ...others } = sessionServers
  const setRate = (update: { calls?: number; per?: string }) => {
    const rate = { calls: rateLimit?.calls ?? 0, per: rateLimit?.per ?? '', ...update }
    change({ sessionServers: rate.calls === 0 && rate.per === '' ? others : { ...others, rateLimit: rate } })
  }
  return (
    <section class="panel" aria-labelledby="agent-session-servers">
      <h2 id="agent-session-servers">Session servers</h2>
      <p class="muted">Servers your editor adds to a session. They end with it.</p>
      <div class="form-row">
        <SelectField
          label="Mode"
          value={sessionServers.mode}
          options={optionsOf(modeWords)}
          onChange={(mode) => change({ sessionServers: { ...sessionServers, mode } })}
        />
        <SelectField
          label="Approval"
          value={sessionServers.approval ?? ''}
          options={[['', 'Use the approval mode'], ...optionsOf(approvalWords)]}
          onChange={(approval) => {
            const { approval: _, ...rest } = sessionServers
            change({ sessionServers: approval === '' ? rest : { ...rest, approval } })
          }}
        />
        <TextField
          label="Rate limit: calls"
          inputMode="numeric"
          placeholder="No limit"
          value={rateLimit === undefined || rateLimit.calls === 0 ? '' : String(rateLimit.calls)}
          onInput={(text) => setRate({ calls: Number(text.replace(/\D/g, '')) })}
        />
        <TextField label="Rate limit: per" placeholder="1m" value={String(rateLimit?.per ?? '')} onInput={(per) => setRate({ per })} />
      </div>
      <OriginNotes origins={view.origins} paths={['sessionServers.mode', 'sessionServers.approval', 'sessionServers.rateLimit']} />
    </section>
  )
}
