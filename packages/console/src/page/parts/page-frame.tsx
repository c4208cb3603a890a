import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { visible } from '../text/visible.ts'
import { OpenQuestions } from './open-questions.ts'

interface PageFrameProps {
  title: string
  shownTitle?: string
  above?: ComponentChildren
  about?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

let isFirst = true

/** A page with its heading, which gets the focus after navigation. The title counts the open questions: the page may be in the background. */
export function PageFrame({ title, shownTitle = title, above, about, actions, children }: PageFrameProps) {
  const count = useContext(OpenQuestions).length
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = visible(`${count === 0 ? '' : `(${count}) `}${title} · Ostler`)
  }, [title, count])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <main class="column page" id="main">
      {above}
      <header class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {shownTitle}
          </h1>
          {about !== undefined && <p>{about}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  )
}
