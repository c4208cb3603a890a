import { useEffect, useState } from 'preact/hooks'

const shownMs = 4_000
let show: ((text: string) => void) | undefined

export function announce(text: string): void {
  show?.(text)
}

export function Announcements() {
  const [shown, setShown] = useState<{ text: string }>()
  useEffect(() => {
    show = (text) => setShown({ text })
    return () => (show = undefined)
  }, [])
  useEffect(() => {
    if (shown === undefined) return undefined
    const timer = setTimeout(() => setShown(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div class="announcement" role="status" aria-live="polite">
      {shown !== undefined && <p>{shown.text}</p>}
    </div>
  )
}
