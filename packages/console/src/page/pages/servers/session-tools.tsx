import { counted, describeSizes } from '@ostler/agent-api/browser'
import { useState } from 'preact/hooks'
import type { LiveServer, SessionTools } from '../../../api.ts'
import { post } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Switch } from '../../parts/form.tsx'
import { Failure, Loading } from '../../parts/loading.tsx'
import { useTask } from '../../parts/use-task.ts'

/** The tools of a server that an editor added, each with its size and a switch. */
export function SessionToolList({ server, sessionId }: { server: LiveServer; sessionId: string }) {
  const [isOpen, setOpen] = useState(false)
  const api = `/api/sessions/${encodeURIComponent(sessionId)}/tools`
  const loaded = useLoaded<SessionTools>(
    isOpen ? `${api}?${new URLSearchParams({ server: server.name }).toString()}` : undefined,
    'servers',
  )
  const { failure, isBusy, attempt } = useTask()
  const turn = (tool: string, isOff: boolean) =>
    attempt(async () => {
      await post(api, { server: server.name, tool, isOff })
      loaded.reload()
    })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Tools</summary>
      <Failure failure={failure} />
      <Loading of={loaded}>
        {({ tools }) => (
          <ul class="rows" aria-label={`Tools of ${server.name}`}>
            {tools.map(({ name, size, isOff }) => (
              <li key={name} class="row row-main">
                <Switch
                  label={name}
                  isOn={!isOff}
                  isDisabled={isBusy}
                  onChange={(isOn) => void turn(name, !isOn)}
                />
                <span class="spacer" />
                <span class="muted">
                  {isOff ? 'Off in this folder from the next prompt on' : size && describeSizes([size])}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </details>
  )
}

/** `40 tools (1,100 tokens, 12,000 saved)`. */
export function describeTools({ tools, sizes }: Pick<LiveServer, 'tools' | 'sizes'>): string {
  return `${counted(tools, 'tool')}${sizes === undefined ? '' : ` (${describeSizes(sizes)})`}`
}
