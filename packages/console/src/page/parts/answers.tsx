import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { announce } from './announce.tsx'

/** A press within this time after the buttons took their place may have been meant for what stood there before. */
const settleMs = 500
/** Less is not a move. */
const movedPixels = 4

export const QuestionEnd = createContext<string | undefined>(undefined)

/** Where each group of buttons stands, and the timer of one that has just moved there. */
const places = new Map<HTMLElement, { x: number; y: number; timer?: ReturnType<typeof setTimeout> }>()
let observer: ResizeObserver | undefined
/** The height of the page, and how far it is scrolled. */
let page = { height: 0, scrolled: 0 }

/** The buttons that answer a question. They ignore the mouse and the keyboard until they have stood still for a moment. */
export function Answers({ children }: { children: ComponentChildren }) {
  const group = useRef<HTMLDivElement>(null)
  const end = useContext(QuestionEnd)
  useLayoutEffect(() => (group.current === null ? undefined : guard(group.current)), [])
  return (
    <div
      ref={group}
      class="actions question-answers"
      role="group"
      aria-label="Answers"
      data-ended={end !== undefined}
    >
      {children}
      {end !== undefined && <p>{end}</p>}
    </div>
  )
}

function guard(group: HTMLElement): () => void {
  places.set(group, { x: Infinity, y: Infinity })
  // Whatever moves the buttons changes the size of something around them. It also reports what it has just begun to observe.
  observer ??= new ResizeObserver(settleMoved)
  for (let around: HTMLElement | null = group; around !== null; around = around.parentElement)
    observer.observe(around)
  let wasEarly = false
  const onPointerDown = () => {
    settleMoved()
    wasEarly = isSettling(group)
  }
  const onClick = (event: MouseEvent) => {
    settleMoved()
    const isEarly = isSettling(group) || (wasEarly && event.detail > 0)
    wasEarly = false
    if (!isEarly) return
    event.preventDefault()
    event.stopPropagation()
    announce('Not answered: this had only just appeared here. Press again.')
  }
  group.addEventListener('pointerdown', onPointerDown, true)
  group.addEventListener('click', onClick, true)
  return () => {
    clearTimeout(places.get(group)?.timer)
    places.delete(group)
    observer?.unobserve(group)
    if (places.size > 0) return
    observer?.disconnect()
    observer = undefined
  }
}

function isSettling(group: HTMLElement): boolean {
  return places.get(group)?.timer !== undefined
}

/** Scrolling does not count, because the person moves the page, unless the browser does it because the page has become shorter. */
function settleMoved(): void {
  const before = page
  page = { height: document.documentElement.scrollHeight, scrolled: scrollY }
  const hasJumped = page.height !== before.height && page.scrolled !== before.scrolled
  for (const [group, place] of places) {
    const { left, top } = group.getBoundingClientRect()
    const [x, y] = [left + scrollX, top + scrollY]
    if (!hasJumped && Math.abs(x - place.x) + Math.abs(y - place.y) < movedPixels) continue
    Object.assign(place, { x, y })
    clearTimeout(place.timer)
    group.setAttribute('aria-disabled', 'true')
    place.timer = setTimeout(() => {
      delete place.timer
      group.removeAttribute('aria-disabled')
    }, settleMs)
  }
}
