import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, toFailure } from '../api/client.ts'
import { Answers } from './answers.tsx'
import { BusyButton } from './buttons.tsx'
import { Failure } from './loading.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  size?: 'small' | 'large'
  children: ComponentChildren
  closeLabel?: string
  failure?: ComponentChildren
  actions?: ComponentChildren
}

/** Modal while it is rendered. The browser traps the focus and restores it afterwards. */
export function Dialog({
  title,
  onClose,
  size = 'small',
  closeLabel,
  failure,
  children,
  actions,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const onCancel = (event: Event) => {
    event.preventDefault()
    // A file picker in the dialog sends its own `cancel` event.
    if (event.target === dialog.current) onClose()
  }
  return (
    <dialog ref={dialog} class={`dialog dialog-${size}`} aria-labelledby={titleId} onCancel={onCancel}>
      <header class="bar dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="button-quiet button-icon" aria-label="Close" onClick={onClose}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      </header>
      <div class="column dialog-body">{children}</div>
      {closeLabel !== undefined && (
        <footer class="dialog-actions">
          {failure}
          <button type="button" onClick={onClose}>
            {closeLabel}
          </button>
          {actions}
        </footer>
      )}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  action: string
  isDangerous?: boolean
  onClose: () => void
  onConfirm: () => Promise<void> | void
  children: ComponentChildren
}

export function Confirm({ title, action, isDangerous = false, onClose, onConfirm, children }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiFailure>()
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
          <BusyButton
            isBusy={isBusy}
            class={isDangerous ? 'button-danger' : 'button-primary'}
            onClick={() => void confirm()}
          >
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
