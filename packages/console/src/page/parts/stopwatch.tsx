import { useEffect, useState } from 'preact/hooks'
import { formatDuration } from '../text/quantities.ts'

const tickMs = 100

/** How long something has been going on; `since` is of `performance.now()`. */
export function Stopwatch({ since }: { readonly since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs)
    return () => clearInterval(timer)
  }, [since])
  return (
    <span class="stopwatch" role="timer" aria-label="Time so far">
      {formatDuration(Math.max(now - since, 1))}
    </span>
  )
}
