import type { ComponentChildren } from 'preact'

/** An empty state. `children` says how to fill it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="column empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}
