import { useLayoutEffect, useRef } from 'preact/hooks'

const answerMsMax = 5_000

/** Finds out whether this browser can keep an app from opening connections. No answer means that it cannot. */
export function ConnectionProbe({ onAnswer }: { readonly onAnswer: (isClosed: boolean) => void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  // Before the frame can answer: an ordinary effect may run later than that.
  useLayoutEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return
      onAnswer('isClosed' in data && data.isClosed === true)
    }
    addEventListener('message', listen)
    const timer = setTimeout(() => onAnswer(false), answerMsMax)
    return () => {
      removeEventListener('message', listen)
      clearTimeout(timer)
    }
  }, [onAnswer])
  return <iframe ref={frame} hidden title="A check of this browser" src="/app-probe" />
}
