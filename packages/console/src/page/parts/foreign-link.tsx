import type { ComponentChildren } from 'preact'
import { toHttps } from '../text/to-https.ts'
import { visible } from '../text/visible.ts'

interface ForeignLinkProps {
  readonly url: string
  readonly onOpen?: () => void
  /** Shown instead of the address. The address must stand beside it. */
  readonly children?: ComponentChildren
}

/** An address given by a server. Only https opens, in a tab that knows nothing of this page; any other address is text. */
export function ForeignLink({ url, onOpen, children }: ForeignLinkProps) {
  const href = toHttps(url)
  if (href === undefined) return <span class="mono wrap">{visible(url)}</span>
  return (
    <a class="wrap" href={href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      {children ?? href}
    </a>
  )
}
