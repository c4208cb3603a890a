import type { ComponentChildren } from 'preact'
import { toHttps } from '../text/to-openable.ts'

interface ForeignLinkProps {
  url: string
  href?: string
  onOpen?: () => void
  /** Shown instead of the address, which must be shown next to it. */
  children?: ComponentChildren
}

/** An address given by a server. It opens in a tab that knows nothing about this page. Without an address to open, it is text. */
export function ForeignLink({ url, href = toHttps(url), onOpen, children }: ForeignLinkProps) {
  if (href === undefined) return <span class="mono wrap">{url}</span>
  return (
    <a class="wrap" href={href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      {children ?? href}
    </a>
  )
}
