import { useEffect, useState } from 'preact/hooks'
import type { Capabilities, ServerView } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Status } from '../../parts/status.tsx'
import { navigate } from '../../route.ts'
import { serverPath } from '../server/server-path.ts'
import { MendConnection } from './mend-connection.tsx'

interface ConnectStepProps {
  readonly server: ServerView
  readonly onClose: () => void
  readonly onEdit: (server: ServerView) => void
}

/** Connects a server that was just added, and goes to its tools. If it cannot be connected, it asks for what is missing. */
export function ConnectStep({ server, onClose, onEdit }: ConnectStepProps) {
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const [isBusy, setBusy] = useState(true)
  const { withConfirmation, dialog } = useCommandConfirm()

  const connect = async (signal?: AbortSignal) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await withConfirmation('Run and connect', (body) =>
        request<Capabilities>(`/api/servers/${encodeURIComponent(server.id)}/connect`, {
          method: 'POST',
          body,
          ...(signal !== undefined && { signal }),
        }),
      )
      if (signal?.aborted === true) return
      announce(`${server.name} is connected.`)
      onClose()
      navigate(serverPath(server))
    } catch (error) {
      if (signal?.aborted === true) return
      if (!(error instanceof Declined)) setFailure(toFailure(error))
      setBusy(false)
    }
  }
  useEffect(() => {
    const controller = new AbortController()
    void connect(controller.signal)
    return () => controller.abort()
  }, [])

  return (
    <Dialog
      title={`Connect ${server.name}`}
      size="large"
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            {isBusy ? 'Cancel' : 'Close'}
          </button>
          {!isBusy && (
            <button type="button" onClick={() => onEdit(server)}>
              Edit settings
            </button>
          )}
          <BusyButton isBusy={isBusy} class="button-primary" onClick={() => void connect()}>
            Try again
          </BusyButton>
        </>
      }
    >
      <div class="form">
        <p role="status">
          {isBusy ? <Status tone="busy">{`Connecting to ${server.name}`}</Status> : `${server.name} is saved, but it is not connected.`}
        </p>
        {failure !== undefined && (
          <>
            <Failure failure={failure} />
            <MendConnection server={server} failure={failure} onMended={() => void connect()} />
          </>
        )}
      </div>
      {dialog}
    </Dialog>
  )
}
