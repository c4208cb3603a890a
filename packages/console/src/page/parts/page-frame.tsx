import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { visible } from '../text/visible.ts'

interface PageFrameProps {
  readonly title: string
  readonly about?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

let isFirst = true

/** A page with its heading. The heading gets the focus after navigation. */
export function PageFrame({ title, about, actions, children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = visible(`${title} · Ostler`)
  }, [title])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <main class="page" id="main">
      <header class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p>{about}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  )
}
