const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Arrow keys, Home and End move the focus between matching elements of the listening element. */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const step = steps[event.key]
  if (
    step === undefined ||
    !(event.currentTarget instanceof HTMLElement) ||
    !(event.target instanceof HTMLElement)
  )
    return
  if (!event.target.matches(selector)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const next = all[Math.min(Math.max(all.indexOf(event.target) + step, 0), all.length - 1)]
  event.preventDefault()
  next?.focus()
}

/** Moves the focus after a dialog has closed, if the focused element is gone. An open dialog would keep the focus. */
export function focusAfterDialog(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}

/** Moves the focus to the first field with an error, once the errors are shown. */
export function focusInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
