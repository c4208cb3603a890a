import { formatDuration } from '@ostler/agent-api/browser'
import type { ComponentChildren } from 'preact'
import type { Connected, ServerView } from '../../../api.ts'
import { Empty } from '../../parts/loading.tsx'
import { Time } from '../../parts/time.tsx'
import { transportNames } from '../servers/connection-words.ts'

interface AboutServerProps {
  server: ServerView
  capabilities: Connected | undefined
}

export function AboutServer({ server, capabilities }: AboutServerProps) {
  if (capabilities === undefined) {
    return (
      <Empty title="Not connected">
        <p>
          {server.lastConnectedAt === undefined ? (
            'Never connected.'
          ) : (
            <>
              Last connected <Time at={server.lastConnectedAt} />.
            </>
          )}
        </p>
      </Empty>
    )
  }
  const { server: identity, declared, phases } = capabilities
  const rows: readonly (readonly [name: string, value: ComponentChildren])[] = [
    ['Server', `${identity.name} ${identity.version}`],
    ['Protocol', `MCP ${identity.protocolVersion}`],
    ['Transport', transportNames[server.transport]],
    ['Start', formatDuration(phases.startMs)],
    ['Handshake', formatDuration(phases.handshakeMs)],
    ['Discovery', formatDuration(phases.discoveryMs)],
  ]
  return (
    <section class="column about-server" aria-label="About">
      <h2>Connection</h2>
      <dl class="facts-table">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>Capabilities</h2>
      {declared.length === 0 ? (
        <p class="muted">The server declares none.</p>
      ) : (
        <ul class="badges" aria-label="Capabilities">
          {declared.map((name) => (
            <li key={name} class="badge">
              {name}
            </li>
          ))}
        </ul>
      )}
      <h2>Instructions for the model</h2>
      {identity.instructions === undefined ? (
        <p class="muted">None.</p>
      ) : (
        <pre class="command" tabIndex={0} aria-label="Instructions">
          {identity.instructions}
        </pre>
      )}
    </section>
  )
}
