import { messageOf, OstlerError } from '../base/errors.ts'
import type { Connection } from './connection.ts'
import type { Timing } from '../base/timing.ts'

/**
 * Pings a silent server regularly and reports once if it does not answer. Skips a busy server, because calls have their own timeouts.
 * Returns a function that stops it.
 */
export function watchHealth(
  connection: Connection,
  onDead: (error: OstlerError) => void,
  { pingEveryMs, pingTimeoutMs }: Pick<Timing, 'pingEveryMs' | 'pingTimeoutMs'>,
): () => void {
  const { ping } = connection
  if (ping === undefined) return () => {}
  let isStopped = false
  let timer = setTimeout(() => void look(), pingEveryMs).unref()

  async function look(): Promise<void> {
    const quietMs = performance.now() - connection.heardAt
    if (connection.isBusy || quietMs < pingEveryMs)
      return lookAgainIn(connection.isBusy ? pingEveryMs : pingEveryMs - quietMs)
    try {
      await ping?.(pingTimeoutMs)
      lookAgainIn(pingEveryMs)
    } catch (error) {
      // Any message that arrived since counts as an answer.
      if (isStopped) return
      if (connection.isBusy) return lookAgainIn(pingEveryMs)
      onDead(
        error instanceof OstlerError
          ? error
          : new OstlerError('mcp.connection_lost', messageOf(error), { cause: error }),
      )
    }
  }

  function lookAgainIn(ms: number): void {
    if (!isStopped) timer = setTimeout(() => void look(), ms).unref()
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
