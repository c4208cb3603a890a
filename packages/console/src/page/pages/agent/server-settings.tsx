import { approvalWords, counted, defined } from '@ostler/agent-api/browser'
import { Select, SelectField, TextField, Segments } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/loading.tsx'
import { modeWords, optionsOf, startWords } from '../../text/setting-words.ts'
import { AgentState } from '../servers/server-details.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { isChosen, obstacleOf, setUsed, useOf } from './chosen-servers.ts'
import { OverriddenNotes, Panel } from './panel.tsx'

const shortModes = { dynamic: 'Dynamic', strict: 'Strict' } as const
const shortInclusions = {
  always: 'Offered: always',
  manual: 'Offered: on /tools add',
  agent: 'Offered: by search',
} as const
const shortStarts = { eager: 'Starts: at once', 'known-on-demand': 'Starts: when used' } as const

export function ServerSettings({ settings, view, change }: SettingsPart) {
  const used = view.servers.filter((server) => useOf(server, settings) === 'used')
  const toolCount = used.reduce((sum, { tools }) => sum + (tools ?? 0), 0)
  const { storedServers } = settings
  return (
    <section class="panel" aria-labelledby="agent-servers">
      <div class="section-head">
        <h2 id="agent-servers">Servers</h2>
        <span class="count">
          {used.length} of {counted(view.servers.length, 'server')} selected · {counted(toolCount, 'tool')}
        </span>
      </div>
      <Segments
        label="Stored servers"
        value={typeof storedServers === 'string' ? storedServers : 'some'}
        options={[
          ['all', 'All, including new ones'],
          ['some', 'Only selected'],
          ['none', 'None'],
        ]}
        onChange={(choice) => {
          const chosen = view.servers.filter(
            (server) => server.origin === 'stored' && isChosen(server, settings),
          )
          change({ storedServers: choice === 'some' ? chosen.map(({ name }) => name) : choice })
        }}
      />
      <OverriddenNotes overridden={view.overridden} paths={['storedServers']} />
      {view.servers.length === 0 ? (
        <Empty title="No servers to choose from">
          <p>
            <Link to="/servers">Add a server</Link>, or define one in ostler.yaml.
          </p>
        </Empty>
      ) : (
        <ul class="rows" aria-label="Servers of the agent">
          {view.servers.map((server) => {
            const { name, origin, live, tools, mode } = server
            const own = settings.mcpServers[name]
            const setOwn = (next: NonNullable<typeof own>) =>
              change({ mcpServers: { ...settings.mcpServers, [name]: next } })
            const obstacle = obstacleOf(server)
            return (
              <li key={`${origin}/${name}`} class="flow row agent-server">
                <label class="row-main">
                  <input
                    type="checkbox"
                    checked={isChosen(server, settings)}
                    onChange={(event) =>
                      change(setUsed(server, event.currentTarget.checked, settings, view.servers))
                    }
                  />
                  <strong>{name}</strong>
                </label>
                <span class="badge">{origin === 'file' ? 'ostler.yaml' : 'Stored'}</span>
                {obstacle !== undefined && <span class="badge badge-warn">{obstacle}</span>}
                <AgentState used={live} />
                {tools !== null && <span class="muted">{counted(tools, 'tool')}</span>}
                <span class="spacer" />
                {origin === 'file' && own !== undefined ? (
                  <>
                    <Select
                      aria-label={`Mode of ${name}`}
                      value={own.mode}
                      options={optionsOf(shortModes)}
                      onChange={(next) => setOwn({ ...own, mode: next })}
                    />
                    <Select
                      aria-label={`When the tools of ${name} are offered`}
                      value={own.include ?? ''}
                      options={[['', 'Offered: default'], ...optionsOf(shortInclusions)]}
                      onChange={(include) => setOwn(defined({ ...own, include: include || undefined }))}
                    />
                    <Select
                      aria-label={`When ${name} starts`}
                      value={own.start ?? ''}
                      options={[['', 'Starts: default'], ...optionsOf(shortStarts)]}
                      onChange={(start) => setOwn(defined({ ...own, start: start || undefined }))}
                    />
                    <input
                      aria-label={`When ${name} ends if unused`}
                      placeholder="Ends unused: default"
                      value={own.idle ?? ''}
                      onInput={(event) =>
                        setOwn(defined({ ...own, idle: event.currentTarget.value || undefined }))
                      }
                    />
                  </>
                ) : (
                  <span class="muted">{shortModes[mode]}</span>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {view.servers.length > 0 && (
        <p class="muted">
          A dynamic server offers all its tools, a strict one only those that have a setting. The model gets
          them always, when you add them with <code>/tools add</code>, or when the tool search finds them.
        </p>
      )}
    </section>
  )
}

export function SessionServerSettings({ settings: { sessionServers }, view, change }: SettingsPart) {
  const { rateLimit } = sessionServers
  const set = (update: { [K in keyof typeof sessionServers]?: (typeof sessionServers)[K] | undefined }) =>
    change({ sessionServers: defined({ ...sessionServers, ...update }) })
  const setRate = (update: { calls?: number; per?: string }) => {
    const rate = { calls: rateLimit?.calls ?? 0, per: rateLimit?.per ?? '', ...update }
    set({ rateLimit: rate.calls === 0 && rate.per === '' ? undefined : rate })
  }
  return (
    <Panel
      title="Session servers"
      overridden={view.overridden}
      paths={['mode', 'approval', 'rateLimit', 'start', 'idle'].map((field) => `sessionServers.${field}`)}
    >
      <p class="muted">Servers your editor adds to a session. They end with it.</p>
      <div class="form-row">
        <SelectField
          label="Mode"
          value={sessionServers.mode}
          options={optionsOf(modeWords)}
          onChange={(mode) => set({ mode })}
        />
        <SelectField
          label="Approval"
          value={sessionServers.approval ?? ''}
          options={[['', 'Use the approval mode'], ...optionsOf(approvalWords)]}
          onChange={(approval) => set({ approval: approval || undefined })}
        />
        <TextField
          label="Rate limit: calls"
          inputMode="numeric"
          placeholder="No limit"
          value={rateLimit === undefined || rateLimit.calls === 0 ? '' : String(rateLimit.calls)}
          onInput={(text) => setRate({ calls: Number(text.replace(/\D/g, '')) })}
        />
        <TextField
          label="Rate limit: per"
          placeholder="1m"
          value={String(rateLimit?.per ?? '')}
          onInput={(per) => setRate({ per })}
        />
        <SelectField
          label="Start"
          value={sessionServers.start ?? ''}
          options={[['', 'Default'], ...optionsOf(startWords)]}
          onChange={(start) => set({ start: start || undefined })}
        />
        <TextField
          label="End when unused for"
          placeholder="10m"
          value={String(sessionServers.idle ?? '')}
          onInput={(idle) => set({ idle: idle || undefined })}
        />
      </div>
    </Panel>
  )
}
