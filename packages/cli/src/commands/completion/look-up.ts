import { openStoredState } from '@ostler/agent-api/internal'
import { listServerNames } from '@ostler/workbench'
import type { Io } from '../../terminal/io.ts'
import { agentFileOf, findStateDir, type Places } from '../../state/places.ts'
import type { Candidate } from './candidates.ts'

const sessionsMax = 100

export function lookUpSessions(io: Io, places: Places): readonly Candidate[] {
  const stateDir = findStateDir(io, places)
  const state = stateDir === undefined ? undefined : openStoredState({ stateDir })
  try {
    const sessions = state?.sessions.list({ limit: sessionsMax }) ?? []
    return sessions.map(({ id, title, updatedAt }) => ({ text: id, description: title ?? updatedAt }))
  } finally {
    state?.[Symbol.dispose]()
  }
}

export async function lookUpServers(io: Io, places: Places): Promise<readonly Candidate[]> {
  const file = agentFileOf(io, places).path
  const names = await listServerNames({
    env: io.env,
    stateDir: findStateDir(io, places),
    file,
  })
  return names.map((text) => ({ text }))
}
