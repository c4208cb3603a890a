import { OstlerError } from '@ostler/agent-api'
import type { Server, ServerService, ServiceConnection } from '@ostler/workbench'
import type { Io } from '../../terminal/io.ts'
import { toShown } from '../../terminal/format-table.ts'
import { showProgress } from '../../terminal/show-progress.ts'

/** Connects a server found by name, runs the work with it, and shows progress on a terminal. */
export async function withServer<T>(
  io: Io,
  service: ServerService,
  name: string,
  signal: AbortSignal,
  work: (connection: ServiceConnection, server: Server, say: (text: string) => void) => T | Promise<T>,
): Promise<T> {
  const { id, name: shown } = await service.getServer(name)
  const server = service.server(id)
  let step = `Connecting to ${shown}`
  const line = showProgress(io.stderr, () =>
    toShown(step)
      .replace(/\s+/g, ' ')
      .slice(0, (io.stderr.columns ?? 80) - 1),
  )
  try {
    return await work(await server.use({ signal }), server, (text) => (step = text))
  } catch (error) {
    throw named(error, shown)
  } finally {
    line[Symbol.dispose]()
  }
}

/** Adds the server's name, because a script may use many servers. */
function named(error: unknown, server: string): unknown {
  if (
    !(error instanceof OstlerError) ||
    !error.code.startsWith('mcp.') ||
    error.message.includes(`'${server}'`)
  )
    return error
  return new OstlerError(error.code, toShown(`${server}: ${error.message}`), {
    data: error.data,
    cause: error,
  })
}

/** Prints a server's text for programs, ending with a line break. On a terminal, removes control characters. */
export function printServerText({ stdout }: Io, text: string): void {
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
  stdout.write(stdout.isTTY === true ? toShown(whole) : whole)
}
