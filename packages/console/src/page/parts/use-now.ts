import { useEffect, useState } from 'preact/hooks'

/** The current time. While `isTicking`, it is renewed at this interval. */
export function useNow(isTicking: boolean, everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return undefined
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [isTicking, everyMs])
  return now
}
