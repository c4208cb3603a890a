import type { Environment } from './environment-overrides.ts'
import { findAgentFile } from './find-agent-file.ts'

/** Who named the agent file; `none` is the built-in agent. */
export type AgentFileOrigin = 'flag' | 'OSTLER_AGENT' | 'default' | 'none'

export interface AgentFileLocation {
  readonly path: string | undefined
  readonly foundBy: AgentFileOrigin
}

/** Which agent file holds, and why that one. */
export function locateAgentFile(named: string | undefined, env: Environment): AgentFileLocation {
  const path = findAgentFile(named, env)
  if (path === undefined) return { path, foundBy: 'none' }
  if (named !== undefined) return { path, foundBy: 'flag' }
  return { path, foundBy: env['OSTLER_AGENT'] ? 'OSTLER_AGENT' : 'default' }
}
