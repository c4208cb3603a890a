import type { Environment } from './environment-overrides.ts'
import { findAgentFile } from './find-agent-file.ts'

/** The origin of the agent file's path; `none` means the built-in agent. */
export type AgentFileOrigin = 'flag' | 'OSTLER_AGENT' | 'default' | 'none'

export interface AgentFileLocation {
  readonly path: string | undefined
  readonly foundBy: AgentFileOrigin
}

/** Finds the agent file, and says how it was found. */
export function locateAgentFile(named: string | undefined, env: Environment): AgentFileLocation {
  const path = findAgentFile(named, env)
  if (path === undefined) return { path, foundBy: 'none' }
  if (named !== undefined) return { path, foundBy: 'flag' }
  return { path, foundBy: env['OSTLER_AGENT'] ? 'OSTLER_AGENT' : 'default' }
}
