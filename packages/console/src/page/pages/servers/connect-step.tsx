import { useEffect, useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { type ApiFailure, post, serverApi, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Status } from '../../parts/status.tsx'
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
}

/** Connects a server. If it cannot be connected, the dialog asks for what is missing. */
export function ConnectStep({ server: given, lack: known, onClose, onConnected, onEdit }: ConnectStepProps) {
  /** With what was saved here. */
  const [server, setServer] = useState(given)
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const [lack, setLack] = useState(known)
  const [isBusy, setBusy] = useState(known === undefined)
  const { withConfirmation, dialog } = useCommandConfirm()
  const { isTyped, onInput } = useTyped()
  const { leave, question } = useLeave(isTyped, onClose)

  const connect = async (target: ServerView, signal?: AbortSignal) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const path = serverApi(target.id, 'connect')
      await withConfirmation('Run and connect', (confirmed) => post(path, confirmed, signal))
      if (signal?.aborted === true) return
      announce(`${target.name} is connected.`)
      onConnected()
    } catch (error) {
      if (signal?.aborted === true) return
      if (!(error instanceof Declined)) {
        setFailure(toFailure(error))
        setLack(lackAfter(target, toFailure(error)))
      }
      setBusy(false)
    }
  }
  const mended = (saved: ServerView) => {
    setServer(saved)
    void connect(saved)
  }
  useEffect(() => {
    if (known !== undefined) return undefined
    const controller = new AbortController()
    void connect(server, controller.signal)
    return () => controller.abort()
  }, [])

  return (
    <Dialog
      title={`Connect ${server.name}`}
      size="large"
      onClose={leave}
      closeLabel={isBusy ? 'Cancel' : 'Close'}
      actions={
        <>
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
          {isBusy ? (
            <Status tone="busy">{`Connecting to ${server.name}`}</Status>
          ) : (
            known === undefined && `${server.name} is saved, but it is not connected.`
          )}
        </p>
        {!isBusy && lack !== undefined && <p>{reasons[lack.is](server.name)}</p>}
        {failure !== undefined && <Failure failure={failure} />}
        {!isBusy && lack !== undefined && <MendConnection server={server} lack={lack} onMended={mended} />}
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
