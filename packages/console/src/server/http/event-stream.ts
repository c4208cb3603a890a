import type { ServerResponse } from 'node:http'
import type { Limits } from './limits.ts'

/** Begins to send events, and returns the way to stop. */
export type EventSource = (send: (event: string, data: unknown) => void) => () => void

/**
 * Server-sent events to one reader. One that does not read is let go rather than waited for: its browser comes again, and asks for what it
 * missed.
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
  // So that the browser knows at once that it is connected.
  write(': hello\n\n')
  const stop = source((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(clean(data))}\n\n`))
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs).unref()
  response.once('close', () => {
    clearInterval(heartbeat)
    stop()
  })
}
