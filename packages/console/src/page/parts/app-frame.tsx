import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { answerApp, type AppHost, appMessagesMax } from '../text/app-bridge.ts'

/** Runs an app in a frame without rights. The content security policy of the frame's page restricts the rest. */
export function AppFrame({ html, host }: { html: string; host: AppHost }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const isSent = useRef(false)
  const [isClosed, setClosed] = useState(false)

  // Listens before the app can send anything.
  useLayoutEffect(() => {
    let messages = 0
    const listen = (event: MessageEvent<unknown>) => {
      const app = frame.current?.contentWindow
      if (app === null || app === undefined || event.source !== app) return
      messages += 1
      if (messages > appMessagesMax) {
        removeEventListener('message', listen)
        return setClosed(true)
      }
      // Its origin is opaque, so it has no address. The policies let nothing else into the frame.
      for (const answer of answerApp(event.data, host)) app.postMessage(answer, '*')
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [host])

  /** Sends the app once, also if the frame loads something again. */
  const send = () => {
    if (isSent.current) return
    isSent.current = true
    frame.current?.contentWindow?.postMessage(html, '*')
  }
  if (isClosed) return <p class="note">The app was closed, because it sent too many messages.</p>
  return (
    <iframe
      ref={frame}
      class="app-frame"
      title="App"
      src="/app-frame"
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
      onLoad={send}
    />
  )
}

const answerMsMax = 5_000

/** Finds out whether this browser can keep an app from opening connections. No answer means that it cannot. */
export function ConnectionProbe({ onAnswer }: { onAnswer: (isClosed: boolean) => void }) {
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
