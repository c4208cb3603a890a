import type { ComponentProps } from 'preact'

interface BusyButtonProps extends ComponentProps<'button'> {
  readonly isBusy: boolean
}

/** Ignores clicks while busy. It is not disabled, because a disabled button would lose the focus. */
export function BusyButton({ isBusy, type = 'button', onClick, children, ...rest }: BusyButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}
