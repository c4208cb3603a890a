import { counted, describeFence, describeSizes } from '@ostler/agent-api/browser'
import type { LiveServer, ServerView } from '../../../api.ts'
import { useId } from 'preact/hooks'
import { BusyButton } from '../../parts/buttons.tsx'
import { Link } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { Switch } from '../../parts/form.tsx'
import { serverPath } from '../../route.ts'
import { AgentState, ServerDetails } from './server-details.tsx'
import { toConnectionWords, transportNames } from './connection-words.ts'
import { MendButton } from './connect-step.tsx'

export interface ServerActions {
  readonly onConnect: (server: ServerView) => void
  readonly onDisconnect: (server: ServerView) => void
  readonly onEnable: (server: ServerView, isEnabled: boolean) => void
  readonly onEdit: (server: ServerView) => void
  readonly onClone: (server: ServerView) => void
  readonly onRemove: (server: ServerView) => void
}

export function ServerCard({
  server,
  used,
  actions,
  isBusy,
}: {
  server: ServerView
  used: readonly LiveServer[]
  actions: ServerActions
  isBusy: boolean
}) {
  const id = useId()
  const { tone, word } = toConnectionWords(server.status)
  const isStored = server.origin === 'stored'
  const { state } = server.status
  const tools = server.tools ?? used.find(({ status }) => status === 'connected' || status === 'idle')?.tools
  // Sessions know better than this console what the tools take.
  const sizes =
    used.find((agent) => agent.sizes !== undefined)?.sizes ??
    (server.tokens === undefined ? undefined : [{ sent: server.tokens, saved: 0 }])
  return (
    <article class={`card server ${server.enabled ? '' : 'is-off'}`} aria-labelledby={id}>
      <header class="card-head">
        <h3 id={id}>
          <Link to={serverPath(server)}>{server.name}</Link>
        </h3>
        <span class="badge">{transportNames[server.transport]}</span>
        {server.shadowed && (
          <span class="badge badge-warn" title="The agent uses the server of this name from the agent file.">
            Overridden by ostler.yaml
          </span>
        )}
        <AgentState used={used} />
        <span class="spacer" />
        <div class="actions">
          <MendButton server={server} used={used} />
          {state === 'connected' || state === 'connecting' ? (
            <BusyButton isBusy={false} class="button-small" onClick={() => actions.onDisconnect(server)}>
              {state === 'connected' ? 'Disconnect' : 'Cancel'}
            </BusyButton>
          ) : (
            <BusyButton isBusy={isBusy} class="button-small" onClick={() => actions.onConnect(server)}>
              Connect
            </BusyButton>
          )}
          {isStored && (
            <button type="button" class="button-small" onClick={() => actions.onEdit(server)}>
              Edit
            </button>
          )}
          <button type="button" class="button-small" onClick={() => actions.onClone(server)}>
            Clone
          </button>
          {isStored && (
            <button
              type="button"
              class="button-small button-danger-quiet"
              onClick={() => actions.onRemove(server)}
            >
              Remove
            </button>
          )}
        </div>
        <Switch
          label="Enabled"
          isOn={server.enabled}
          isDisabled={!isStored}
          describedBy={isStored ? undefined : `${id}-file`}
          onChange={(isOn) => actions.onEnable(server, isOn)}
        />
      </header>
      {server.description !== undefined && <p class="muted">{server.description}</p>}
      <ServerDetails server={server} used={used} />
      <ul class="facts">
        <li>
          This console: <Status tone={tone}>{word}</Status>
        </li>
        {tools !== undefined && (
          <li>
            <Link to={serverPath(server)}>{counted(tools, 'tool')}</Link>
            {sizes !== undefined && `, ${describeSizes(sizes)}`}
          </li>
        )}
        {server.resources !== undefined && <li>{counted(server.resources, 'resource')}</li>}
        {server.prompts !== undefined && <li>{counted(server.prompts, 'prompt')}</li>}
        {server.secrets.length > 0 && <li>{counted(server.secrets.length, 'secret')}</li>}
        {typeof server.entry['cwd'] === 'string' && (
          <li>
            In <code>{server.entry['cwd']}</code>
          </li>
        )}
        {server.fence !== undefined && <li>Runs {describeFence(server.fence)}</li>}
        {!isStored && <li id={`${id}-file`}>Defined in ostler.yaml</li>}
      </ul>
    </article>
  )
}
