import { navigate, type PageName } from '../route.ts'
import { Dialog } from './dialog.tsx'

const pageKeys: Readonly<Record<string, PageName>> = {
  q: 'questions',
  s: 'servers',
  t: 'tools',
  c: 'calls',
  a: 'agent',
  e: 'sessions',
}

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'Search'],
  ...Object.entries(pageKeys).map(([key, page]) => [['g', key], `Go to ${page}`] as const),
  [['a'], 'Allow the focused question once'],
  [['s'], 'Allow it for the session'],
  [['r'], 'Reject or decline it'],
  [['↑', '↓'], 'Move through a list'],
  [['Enter'], 'Open the selected item'],
  [['Ctrl', 'Enter'], 'Send a form, or run a tool'],
  [['Escape'], 'Close dialog or clear search'],
  [['?'], 'Show this help'],
]

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {keys.map(([all, what]) => (
          <div key={what}>
            <dt>
              {all.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const sequenceMs = 1_200

/** Handles page-wide keys, except while typing or while a dialog is open. Returns a function that stops it. */
export function listenForShortcuts(showHelp: () => void): () => void {
  let begunAt = Number.NEGATIVE_INFINITY
  const onKey = (event: KeyboardEvent) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isWriting(event.target) ||
      document.querySelector('dialog[open]')
    )
      return
    const isSecond = event.timeStamp - begunAt < sequenceMs
    begunAt = Number.NEGATIVE_INFINITY
    const page = isSecond ? pageKeys[event.key] : undefined
    if (page !== undefined) navigate(`/${page}`)
    else if (event.key === 'g') begunAt = event.timeStamp
    else if (event.key === '?') showHelp()
    else if (!(event.key === '/' ? focusSearch() : pressAnswer(event))) return
    event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** Presses an answer of the question that has the focus. One that is out of view is only scrolled into view. */
function pressAnswer({ key, repeat }: KeyboardEvent): boolean {
  const question = /^[a-z]$/.test(key) && !repeat ? document.activeElement?.closest('.question') : undefined
  const button = question?.querySelector<HTMLElement>(`[data-ended=false] [aria-keyshortcuts="${key}"]`)
  if (!button) return false
  const { top, bottom } = button.getBoundingClientRect()
  if (top >= 0 && bottom <= innerHeight) button.click()
  else button.scrollIntoView({ block: 'center' })
  return true
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  )
}
