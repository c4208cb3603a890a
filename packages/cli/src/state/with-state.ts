import type { History } from '@ostler/agent-api/manage'
import type { Io } from '../terminal/io.ts'
import { commandLogger } from './command-logger.ts'
import { requireStateDir, type Places } from './places.ts'

/** Provides the history of a state directory while the work runs. Undefined if nothing is stored yet, because reading creates nothing. */
export async function withState<T>(
  io: Io,
  places: Pick<Places, 'state-dir'>,
  work: (history: History | undefined) => T | Promise<T>,
): Promise<T> {
  const stateDir = requireStateDir(io, places)
  const { openStoredHistory } = await import('./open-history.ts')
  const history = openStoredHistory({ stateDir, logger: commandLogger(io) })
  try {
    return await work(history)
  } finally {
    history?.[Symbol.dispose]()
  }
}
