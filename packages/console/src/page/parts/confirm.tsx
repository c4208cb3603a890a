import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type ApiFailure, toFailure } from '../api/client.ts'
import { Answers } from './answers.tsx'
import { BusyButton } from './busy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'

interface ConfirmProps {
  readonly title: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly onClose: () => void
  /** If it fails, the dialog stays open and shows the error. */
  readonly onConfirm: () => Promise<void> | void
  readonly children: ComponentChildren
}

export function Confirm({ title, action, isDangerous = false, onClose, onConfirm, children }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const confirm = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
    } catch (error) {
      setFailure(toFailure(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Answers>
          <BusyButton isBusy={isBusy} class={isDangerous ? 'button-danger' : 'button-primary'} onClick={() => void confirm()}>
            {action}
          </BusyButton>
        </Answers>
      }
    >
      {children}
      <Failure failure={failure} />
    </Dialog>
  )
}
