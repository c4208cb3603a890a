import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly size?: 'small' | 'large'
  readonly children: ComponentChildren
  /** The button that closes it, before the others. */
  readonly closeLabel?: string
  /** Shown above the buttons. */
  readonly failure?: ComponentChildren
  /** Further buttons. */
  readonly actions?: ComponentChildren
}

/** Modal while it is rendered. The browser traps the focus and restores it afterwards. */
export function Dialog({ title, onClose, size = 'small', closeLabel, failure, children, actions }: DialogProps) {
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
