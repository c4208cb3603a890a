const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }

/** Arrows, Home and End go from one to the next of those that match, within the element that listens. */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const step = steps[event.key]
  if (step === undefined || !(event.currentTarget instanceof HTMLElement) || !(event.target instanceof HTMLElement)) return
  if (!event.target.matches(selector)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const next = all[Math.min(Math.max(all.indexOf(event.target) + step, 0), all.length - 1)]
  event.preventDefault()
  next?.focus()
}

/** Where the focus goes when what had it is gone: not before the dialog is, which lets nothing behind it have the focus. */
export function focusAfterDialog(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
