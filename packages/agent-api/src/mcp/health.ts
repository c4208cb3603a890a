import { messageOf, OstlerError } from '../base/errors.ts'
import type { Connection } from './connection.ts'
import type { Timing } from './timing.ts'

/**
 * Asks a quiet server from time to time whether it still answers, and says so once when it does not. One that is working is not asked: its
 * call has a clock of its own. Returns the way to stop it.
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
    if (connection.isBusy || quietMs < pingEveryMs) return lookAgainIn(connection.isBusy ? pingEveryMs : pingEveryMs - quietMs)
    try {
      await ping?.(pingTimeoutMs)
      lookAgainIn(pingEveryMs)
    } catch (error) {
      // What came while the question was open is an answer, too.
      if (isStopped) return
      if (connection.isBusy) return lookAgainIn(pingEveryMs)
      onDead(error instanceof OstlerError ? error : new OstlerError('mcp.connection_lost', messageOf(error), { cause: error }))
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
