import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type AppHost, answerApp, appMessagesMax } from '../text/app-bridge.ts'

/** Runs an app in a frame without rights. The content security policy of the frame's page restricts the rest. */
export function AppFrame({ html, host }: { readonly html: string; readonly host: AppHost }) {
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
    <iframe ref={frame} class="app-frame" title="App" src="/app-frame" sandbox="allow-scripts" referrerpolicy="no-referrer" onLoad={send} />
  )
}
