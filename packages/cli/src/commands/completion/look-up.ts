import { listServerNames, locateAgentFile, openStoredHistory } from '@ostler/agent-api'
import { stateDirOf } from '../../state/state-dir.ts'
import type { Candidate } from './candidates.ts'

export interface Places {
  readonly agent: string | undefined
  readonly stateDir: string | undefined
}

const sessionsMax = 100

export function lookUpSessions({ stateDir: named }: Places): readonly Candidate[] {
  const stateDir = stateDirOf(named, process.env)
  const history = stateDir === undefined ? undefined : openStoredHistory({ stateDir })
  try {
    const sessions = history?.listSessions({ limit: sessionsMax }) ?? []
    return sessions.map(({ id, title, updatedAt }) => ({ text: id, description: title ?? updatedAt }))
  } finally {
    history?.[Symbol.dispose]()
  }
}

export async function lookUpServers({ agent, stateDir }: Places): Promise<readonly Candidate[]> {
  const file = locateAgentFile(agent, process.env).path
  const names = await listServerNames({
    env: process.env,
    stateDir: stateDirOf(stateDir, process.env),
    ...(file !== undefined && { file }),
  })
  return names.map((text) => ({ text }))
}
