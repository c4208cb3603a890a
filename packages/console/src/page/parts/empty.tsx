import type { ComponentChildren } from 'preact'

/** An empty state: what would be here, and what to do so that it is. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}
