import type { Connected, LiveServer, ServerUpdates, ServerView } from '../../../api.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, serverApi } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { Dialog, useLeave, useTyped } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/loading.tsx'
import { focusAfterDialog } from '../../parts/move-focus.ts'
import { Status } from '../../parts/status.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { type Lack, lackIn, lackOf } from './lack.ts'
import { MendConnection } from './mend-connection.tsx'

interface ConnectStepProps {
  server: ServerView
  /** If it is known, the dialog asks for it first. Otherwise it connects at once. */
  lack?: Lack
  onClose: () => void
  onConnected: () => void
  onEdit?: (server: ServerView) => void
  onRemove?: (server: ServerView) => void
}

export function ConnectStep({
  server: given,
  lack: known,
  onClose,
  onConnected,
  onEdit,
  onRemove,
}: ConnectStepProps) {
  const [server, setServer] = useState(given)
  const [lack, setLack] = useState(known)
  const [isConnecting, setConnecting] = useState(known === undefined)
  const whileOpen = useRef(new AbortController())
  const { attempt, send, failure, isBusy: isAsking, dialog } = useAttempt()
  const isBusy = isConnecting || isAsking
  const { isTyped, onInput } = useTyped()
  const { leave, question } = useLeave(isTyped, onClose)

  const connect = async (target: ServerView) => {
    const { signal } = whileOpen.current
    const path = serverApi(target.id, 'connect')
    setConnecting(true)
    const connected = await attempt(
      () => send<Connected>('Run and connect', path, {}, { signal }),
      (failed) => setLack(lackAfter(target, failed)),
    )
    if (signal.aborted) return
    setConnecting(false)
    if (connected === undefined) return
    announce(`${target.name} is connected.`)
    onConnected()
  }
  const mend = async (change: ServerUpdates) => {
    const path = serverApi(server.id)
    const saved = await attempt(() => send<ServerView>('Run and connect', path, change, { method: 'PATCH' }))
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
          <BusyButton
            isBusy={isBusy}
            class={lack === undefined ? 'button-primary' : ''}
            onClick={() => void connect(server)}
          >
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
          <MendConnection
            server={server}
            lack={lack}
            isBusy={isBusy}
            onMend={mend}
            onLoggedIn={() => void connect(server)}
          />
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

const words: Readonly<Record<Lack['is'], string>> = {
  login: 'Log in',
  key: 'Enter key',
  variables: 'Enter variables',
}

/** Shown if a server lacks something that a person can give: a login, a key or variables. */
export function MendButton({ server, used }: { server: ServerView; used: readonly LiveServer[] }) {
  const [open, setOpen] = useState<Lack>()
  const lack = lackOf(server, used)
  return (
    <>
      {lack !== undefined && (
        <button type="button" class="button-small button-primary" onClick={() => setOpen(lack)}>
          {words[lack.is]}
        </button>
      )}
      {open !== undefined && (
        <ConnectStep
          server={server}
          lack={open}
          onClose={() => setOpen(undefined)}
          onConnected={() => {
            setOpen(undefined)
            focusAfterDialog('h1')
          }}
        />
      )}
    </>
  )
}
