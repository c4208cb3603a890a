import type { ComponentChildren } from 'preact'
import { navigate } from '../route.ts'

interface LinkProps {
  to: string
  class?: string
  current?: boolean
  label?: string
  /** Reached with the arrow keys, and not with Tab. */
  isSkipped?: boolean
  children: ComponentChildren
}

/** A link within the console. Addresses from servers and models become a `ForeignLink` at most. */
export function Link({ to, current = false, label, isSkipped = false, children, ...rest }: LinkProps) {
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a
      href={to}
      onClick={onClick}
      class={rest.class}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      tabIndex={isSkipped ? -1 : undefined}
    >
      {children}
    </a>
  )
}
