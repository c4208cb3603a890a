import type { ComponentProps } from 'preact'

interface BusyButtonProps extends ComponentProps<'button'> {
  readonly isBusy: boolean
}

/** Does nothing while it is busy. It keeps the focus meanwhile, which a button that is disabled would lose. */
export function BusyButton({ isBusy, type = 'button', onClick, children, ...rest }: BusyButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}
