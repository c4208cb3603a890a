import { useEffect, useState } from 'preact/hooks'
import { formatDuration } from '../text/quantities.ts'

const tickMs = 100

/** Shows the elapsed time. `since` is a `performance.now()` value. */
export function Stopwatch({ since }: { readonly since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs)
    return () => clearInterval(timer)
  }, [since])
  return (
    <span class="stopwatch" role="timer" aria-label="Elapsed time">
      {formatDuration(Math.max(now - since, 1))}
    </span>
  )
}
