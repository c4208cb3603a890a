import { useEffect, useRef, useState } from 'preact/hooks'
import type { ServerUpdates } from '@ostler/agent-api/manage'
import type { Connected, ServerView } from '../../../api.ts'
import { type ApiFailure, post, request, serverApi, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Declined } from '../../parts/command-confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Status } from '../../parts/status.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useLeave, useTyped } from '../../parts/use-leave.tsx'
import { type Lack, lackIn } from './lack.ts'
import { MendConnection } from './mend-connection.tsx'

interface ConnectStepProps {
  readonly server: ServerView
  /** If it is known, the dialog asks for it first. Otherwise it connects at once. */
  readonly lack?: Lack | undefined
  readonly onClose: () => void
  readonly onConnected: () => void
  readonly onEdit?: (server: ServerView) => void
  readonly onRemove?: (server: ServerView) => void
}

/** Connects a server. If it cannot be connected, the dialog asks for what is missing. */
export function ConnectStep({ server: given, lack: known, onClose, onConnected, onEdit, onRemove }: ConnectStepProps) {
  /** Includes the values that were saved here. */
  const [server, setServer] = useState(given)
  const [lack, setLack] = useState(known)
  const [isConnecting, setConnecting] = useState(known === undefined)
  const whileOpen = useRef(new AbortController())
  const { attempt, withConfirmation, failure, isBusy: isAsking, dialog } = useAttempt()
  const isBusy = isConnecting || isAsking
  const { isTyped, onInput } = useTyped()
  const { leave, question } = useLeave(isTyped, onClose)

  const connect = async (target: ServerView) => {
    const { signal } = whileOpen.current
    const path = serverApi(target.id, 'connect')
    setConnecting(true)
    const connected = await attempt(async () => {
      try {
        return await withConfirmation('Run and connect', (confirmed) => post<Connected>(path, confirmed, signal))
      } catch (error) {
        if (!(error instanceof Declined)) setLack(lackAfter(target, toFailure(error)))
        throw error
      }
    })
    if (signal.aborted) return
    setConnecting(false)
    if (connected === undefined) return
    announce(`${target.name} is connected.`)
    onConnected()
  }
  const mend = async (change: ServerUpdates) => {
    const saved = await attempt(() =>
      withConfirmation('Run and connect', (confirmed) =>
        request<ServerView>(serverApi(server.id), { method: 'PATCH', body: { ...change, ...confirmed } }),
      ),
    )
    if (saved === undefined || whileOpen.current.signal.aborted) return
    setServer(saved)
    void connect(saved)
  }
  useEffect(() => {
    if (known === undefined) void connect(server)
    return () => whileOpen.current.abort()
  }, [])

  return (
    <Dialog
      title={`Connect ${server.name}`}
      size="large"
      onClose={leave}
      closeLabel={isConnecting ? 'Cancel' : 'Close'}
      actions={
        <>
          {!isBusy && onRemove !== undefined && (
            <button type="button" onClick={() => onRemove(server)}>
              Remove
            </button>
          )}
          {!isBusy && onEdit !== undefined && (
            <button type="button" onClick={() => onEdit(server)}>
              Edit settings
            </button>
          )}
          <BusyButton isBusy={isBusy} class={lack === undefined ? 'button-primary' : ''} onClick={() => void connect(server)}>
            Try again
          </BusyButton>
        </>
      }
    >
      <div class="form" onInput={onInput}>
        <p role="status">
          {isConnecting ? (
            <Status tone="busy">{`Connecting to ${server.name}`}</Status>
          ) : (
            known === undefined && `${server.name} is saved, but it is not connected.`
          )}
        </p>
        {!isConnecting && lack !== undefined && <p>{reasons[lack.is](server.name)}</p>}
        <Failure failure={failure} />
        {!isConnecting && lack !== undefined && (
          <MendConnection server={server} lack={lack} isBusy={isBusy} onMend={mend} onLoggedIn={() => void connect(server)} />
        )}
      </div>
      {dialog}
      {question}
    </Dialog>
  )
}

const reasons: Readonly<Record<Lack['is'], (name: string) => string>> = {
  login: (name) => `${name} requires you to log in.`,
  key: (name) => `${name} does not accept the key that is set.`,
  variables: (name) => `${name} ended before it was ready. It may need a variable.`,
}

function lackAfter(server: ServerView, { code, message, output = '' }: ApiFailure): Lack | undefined {
  return lackIn(server, {
    text: `${message}\n${output}`,
    needsLogin: code === 'mcp.needs_login' || code === 'mcp.needs_scope',
    isRefused: code === 'mcp.needs_authorization',
  })
}
