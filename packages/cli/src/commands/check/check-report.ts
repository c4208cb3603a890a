import type { AgentCheck, AgentFileLocation, ProcessEnd } from '@ostler/agent-api'

/** What `ostler check --json` prints; described in docs/configuration.md. */
export interface CheckReport extends Pick<AgentCheck, 'servers' | 'secretStore' | 'localTools' | 'problems' | 'warnings'> {
  /** Whether the agent would start. */
  readonly ok: boolean
  readonly file: string | null
  readonly foundBy: AgentFileLocation['foundBy']
  /** Whether the servers were connected. */
  readonly connected: boolean
  /** Null when the file cannot be used at all. */
  readonly agent: Pick<AgentCheck, 'name' | 'approvalMode'> | null
  /** Null when the file cannot be used at all. */
  readonly model: AgentCheck['model'] | null
  readonly state: StateReport
}

export interface StateReport {
  readonly directory: string | null
  /** Null when they were not looked at or cannot be read. */
  readonly grants: number | null
  /** Why a process that used it ended without being asked to, the last time. */
  readonly lastFailure?: ProcessEnd
}
