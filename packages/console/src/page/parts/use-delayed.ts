import { useEffect } from 'preact/hooks'

/** Works once the key has stayed the same for a while. The signal aborts when it changes. */
export function useDelayed(key: string, ms: number, work: (signal: AbortSignal) => void): void {
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(() => work(controller.signal), ms)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
}
