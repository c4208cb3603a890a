import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Answers } from './answers.tsx'
import { BusyButton } from './buttons.tsx'
import { Failure } from './loading.tsx'
import { useTask } from './use-task.ts'

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
  const { attempt, failure, isBusy } = useTask()
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
            onClick={() => void attempt(onConfirm)}
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

/** Asks before a dialog is closed that a person has filled in. */
export function useLeave(isFilled: () => boolean, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false)
  const question = isLeaving && (
    <Confirm
      title="Discard what you typed?"
      action="Discard"
      isDangerous
      onClose={() => setLeaving(false)}
      onConfirm={onClose}
    >
      <p>Your changes are not saved.</p>
    </Confirm>
  )
  return { leave: () => (isFilled() ? setLeaving(true) : onClose()), question }
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** Remembers the fields that a person types in. They count until they are emptied or removed. */
export function useTyped() {
  const fields = useRef(new Set<Field>())
  return {
    onInput: ({ target }: Event) => {
      if (
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && target.type !== 'file')
      )
        fields.current.add(target)
    },
    isTyped: () => [...fields.current].some((field) => field.isConnected && field.value.trim() !== ''),
  }
}
