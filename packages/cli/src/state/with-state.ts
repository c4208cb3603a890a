import type { State } from '@ostler/agent-api/internal'
import type { Io } from '../terminal/io.ts'
import { commandLogger } from './command-logger.ts'
import { requireStateDir, type Places } from './places.ts'

/** Opens a state directory while the work runs. Undefined if nothing is stored yet, because reading creates nothing. */
export async function withState<T>(
  io: Io,
  places: Pick<Places, 'state-dir'>,
  work: (state: State | undefined) => T | Promise<T>,
): Promise<T> {
  const stateDir = requireStateDir(io, places)
  const { openStoredState } = await import('./open-state.ts')
  const state = openStoredState({ stateDir, logger: commandLogger(io) })
  try {
    return await work(state)
  } finally {
    state?.[Symbol.dispose]()
  }
}
