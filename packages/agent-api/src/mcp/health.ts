import { messageOf, OstlerError } from '../base/errors.ts'
import type { Connection } from './connection.ts'

export interface HealthOptions {
  /** How long a connection may be quiet before its server is asked whether it is still there. */
  readonly pingEveryMs: number
  readonly pingTimeoutMs: number
}

export const healthDefaults: HealthOptions = { pingEveryMs: 30_000, pingTimeoutMs: 10_000 }

/**
 * Asks a quiet server from time to time whether it still answers, and says so once when it does not. One that is working is not asked: its
 * call has a clock of its own. Returns the way to stop it.
 */
export function watchHealth(
  connection: Connection,
  onDead: (error: OstlerError) => void,
  { pingEveryMs, pingTimeoutMs }: HealthOptions = healthDefaults,
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
