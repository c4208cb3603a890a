import type { LiveServer, ServerView } from '../../../api.ts'
import { Failure } from '../../parts/loading.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { Status } from '../../parts/status.tsx'
import { AgentState, ServerDetails } from '../servers/server-details.tsx'
import { toConnectionWords } from '../servers/connection-words.ts'
import { MendButton } from '../servers/connect-step.tsx'
import { transportNames } from '../servers/connection-words.ts'
import { useServerChanges } from '../servers/use-server-changes.ts'
import type { useCapabilities } from './use-capabilities.tsx'

interface ServerHeadProps {
  server: ServerView
  used: readonly LiveServer[]
  connection: ReturnType<typeof useCapabilities>
  reload: () => void
}

/** The state of the server, as on its card: in the agents first, then in this console. */
export function ServerHead({ server, used, connection: { isConnecting, connect }, reload }: ServerHeadProps) {
  const { tone, word } = toConnectionWords(server.status)
  const { disconnect, failure } = useServerChanges(reload)
  const { state } = server.status
  return (
    <section class="card server-head" aria-label="State">
      <div class="card-head">
        <AgentState used={used} />
        <span class="badge">{transportNames[server.transport]}</span>
        {!server.enabled && <span class="badge badge-warn">Disabled</span>}
        {server.shadowed && <span class="badge badge-warn">Overridden by ostler.yaml</span>}
        <span class="spacer" />
        <span class="muted">
          This console: <Status tone={tone}>{word}</Status>
        </span>
        <MendButton server={server} used={used} />
        {state === 'connected' || state === 'connecting' ? (
          <>
            {state === 'connected' && (
              <BusyButton isBusy={isConnecting} class="button-small" onClick={connect}>
                Refresh
              </BusyButton>
            )}
            <button type="button" class="button-small" onClick={() => disconnect(server)}>
              {state === 'connected' ? 'Disconnect' : 'Cancel'}
            </button>
          </>
        ) : (
          <BusyButton isBusy={isConnecting} class="button-small" onClick={connect}>
            {state === 'error' ? 'Reconnect' : 'Connect'}
          </BusyButton>
        )}
      </div>
      <ServerDetails server={server} used={used} />
      {failure !== undefined && <Failure failure={failure.failure} />}
    </section>
  )
}
