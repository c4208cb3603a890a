import type { ServerResponse } from 'node:http'
import type { Limits } from './limits.ts'

/** Starts sending events. Returns a function that stops it. */
export type EventSource = (send: (event: string, data: unknown) => void) => () => void

/**
 * Sends server-sent events to one reader. A reader that does not keep up is disconnected: its browser reconnects and reloads.
 */
export function sendEvents(
  response: ServerResponse,
  source: EventSource,
  { streamBytesMax, heartbeatMs }: Limits,
  clean: (value: unknown) => unknown,
): void {
  const write = (text: string) => {
    if (response.writableLength > streamBytesMax) response.destroy()
    else if (!response.destroyed && !response.writableEnded) response.write(text)
  }
  // Tells the browser at once that it is connected.
  write(': hello\n\n')
  const stop = source((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(clean(data))}\n\n`))
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs).unref()
  response.once('close', () => {
    clearInterval(heartbeat)
    stop()
  })
}
