import type { ServerResponse } from 'node:http'
import type { Limits } from './limits.ts'

/** Starts sending events. Returns a function that stops it. */
export type EventSource = (send: (event: string, data: unknown) => void) => () => void

/**
 * Sends events to one reader, each as a line of JSON. A reader that does not keep up is disconnected: its page reconnects and reloads.
 */
export function sendEvents(
  response: ServerResponse,
  source: EventSource,
  { streamBytesMax, heartbeatMs }: Limits,
  clean: (value: unknown) => unknown,
): void {
  const write = (text: string) => {
    if (response.writableLength > streamBytesMax) response.destroy()
    else if (!response.destroyed && !response.writableEnded) response.write(`${text}\n`)
  }
  const send = (event: string, data: unknown) => write(JSON.stringify({ event, data: clean(data) }))
  const stop = source(send)
  // Tells the page at once that it is connected.
  send('open', {})
  // An empty line is not an event.
  const heartbeat = setInterval(() => write(''), heartbeatMs).unref()
  response.once('close', () => {
    clearInterval(heartbeat)
    stop()
  })
}
