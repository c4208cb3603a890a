/** Counts the work that runs on this page. While there is any, or while the page is visible, the person can be asked. */
let running = 0
const listeners = new Set<() => void>()

export function beginWork(): () => void {
  let isOver = false
  change(1)
  return () => {
    if (!isOver) change(-1)
    isOver = true
  }
}

export function isPresent(): boolean {
  return running > 0 || !document.hidden
}

export function onPresence(listener: () => void): () => void {
  listeners.add(listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

function change(by: number): void {
  running += by
  for (const listener of listeners) listener()
}
