import { OstlerError, type ServerService, type ServerView } from '@ostler/agent-api'
import type { Io } from '../../io.ts'
import { toShown } from '../../terminal/format-table.ts'
import { showProgress } from '../../terminal/show-progress.ts'

/** A server by name, and the work that is done with it, which says on a terminal what it waits for. */
export async function withServer<T>(
  io: Io,
  service: ServerService,
  name: string,
  work: (server: ServerView, say: (text: string) => void) => Promise<T>,
): Promise<T> {
  const server = await service.getServer(name)
  let said = `Connecting to ${server.name}`
  const line = showProgress(io.stderr, () =>
    toShown(said)
      .replace(/\s+/g, ' ')
      .slice(0, (io.stderr.columns ?? 80) - 1),
  )
  try {
    return await work(server, (text) => (said = text))
  } catch (error) {
    throw named(error, server.name)
  } finally {
    line[Symbol.dispose]()
  }
}

/** Of many servers in a script one must know which it was. */
function named(error: unknown, server: string): unknown {
  if (!(error instanceof OstlerError) || !error.code.startsWith('mcp.') || error.message.includes(`'${server}'`)) return error
  return new OstlerError(error.code, toShown(`${server}: ${error.message}`), { data: error.data, cause: error })
}

/** What a server has said: as it is for a program, and for a person without what their terminal would take for orders. */
export function printServerText({ stdout }: Io, text: string): void {
  stdout.write(stdout.isTTY === true ? toShown(text) : text)
}
