import type { ComponentChildren } from 'preact'
import { navigate, toPath } from '../route.ts'
import { toHttps } from '../text/to-openable.ts'

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

interface OpenAppProps {
  server: string
  uri: string
  call?: string | null
  name?: string
}

export function OpenApp({ server, uri, call = null, name }: OpenAppProps) {
  return (
    <Link to={toPath('/app', { server, uri, call })} label={name && `Open the app ${name}`}>
      Open the app
    </Link>
  )
}

interface ForeignLinkProps {
  url: string
  href?: string
  class?: string
  onOpen?: () => void
  /** Shown instead of the address, which must be shown next to it. */
  children?: ComponentChildren
}

/** An address given by a server. It opens in a tab that knows nothing about this page. Without an address to open, it is text. */
export function ForeignLink({ url, href = toHttps(url), onOpen, children, ...rest }: ForeignLinkProps) {
  if (href === undefined) return <span class="mono">{url}</span>
  return (
    <a {...rest} href={href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      {children ?? href}
    </a>
  )
}
