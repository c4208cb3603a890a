import { useEffect, useRef, useState } from 'preact/hooks'
import type { LoginProgress, ServerView } from '../../../api.ts'
import { ApiFailure, isCancelled, requestLines, toFailure, serverApi } from '../../api/client.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Status } from '../../parts/status.tsx'

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'waiting'; readonly url?: string }
  | { readonly is: 'failed'; readonly failure: ApiFailure }

/** Logs in to a remote server with OAuth, in a new tab. The page continues when the login is finished. */
export function LogIn({ server, onDone }: { readonly server: Pick<ServerView, 'id' | 'name'>; readonly onDone: () => void }) {
  const [state, setState] = useState<State>({ is: 'idle' })
  const controller = useRef<AbortController | undefined>(undefined)
  const { withConfirmation, dialog } = useCommandConfirm()
  useEffect(() => () => controller.current?.abort(), [])

  const logIn = async () => {
    const { signal } = (controller.current = new AbortController())
    setState({ is: 'waiting' })
    try {
      const path = serverApi(server.id, 'login')
      await withConfirmation('Log in', async (body) => {
        for await (const line of requestLines<LoginProgress>(path, { method: 'POST', body, signal })) {
          if (line.type === 'open') setState({ is: 'waiting', url: line.url })
          if (line.type === 'failed') setState({ is: 'failed', failure: new ApiFailure(200, line.error) })
          if (line.type === 'done') {
            setState({ is: 'idle' })
            onDone()
          }
        }
      })
    } catch (error) {
      setState(error instanceof Declined || isCancelled(error) ? { is: 'idle' } : { is: 'failed', failure: toFailure(error) })
    }
  }

  return (
    <section class="form" aria-label={`Log in to ${server.name}`}>
      {state.is !== 'waiting' && (
        <div class="actions">
          <BusyButton isBusy={false} class="button-primary" onClick={() => void logIn()}>
            Log in
          </BusyButton>
        </div>
      )}
      {state.is === 'waiting' && (
        <>
          <div class="actions">
            {state.url !== undefined && (
              <a class="button button-primary" href={state.url} target="_blank" rel="noopener noreferrer">
                Open {new URL(state.url).host}
              </a>
            )}
            <button type="button" onClick={() => controller.current?.abort()}>
              Cancel login
            </button>
          </div>
          <p role="status">
            <Status tone="busy">{state.url === undefined ? 'Asking the server how to log in' : 'Waiting for you to log in there'}</Status>
          </p>
        </>
      )}
      {state.is === 'failed' && <Failure failure={state.failure} />}
      {dialog}
    </section>
  )
}
