import { useEffect, useRef } from 'preact/hooks'

/**
 * Runs work at once, or after the current press of a button has become a click. An error that appears while a button is held down moves the
 * page under the pointer, and the click is lost.
 */
export function useAfterPress(): (work: () => void) => void {
  const isPressed = useRef(false)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    const stop = new AbortController()
    const how = { capture: true, signal: stop.signal }
    const release = () => {
      isPressed.current = false
      setTimeout(() => waiting.current.splice(0).forEach((work) => work()))
    }
    addEventListener('pointerdown', () => (isPressed.current = true), how)
    addEventListener('pointerup', release, how)
    addEventListener('pointercancel', release, how)
    return () => stop.abort()
  }, [])
  return (work) => {
    if (isPressed.current) waiting.current.push(work)
    else work()
  }
}
