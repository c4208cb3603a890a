import type { AgentFileLocation, ProcessEnd } from '@ostler/agent-api/internal'
import type { AgentCheck } from '@ostler/workbench'

/** The output of `ostler check --json`, described in docs/configuration.md. */
export interface CheckReport extends Pick<
  AgentCheck,
  'servers' | 'secretStore' | 'builtinTools' | 'localTools' | 'problems' | 'warnings' | 'notes'
> {
  /** True if the agent would start. */
  readonly ok: boolean
  readonly file: string | null
  readonly foundBy: AgentFileLocation['foundBy']
  /** True if the servers were connected. */
  readonly connected: boolean
  /** Null if the file cannot be used. */
  readonly agent: Pick<AgentCheck, 'name' | 'approvalMode'> | null
  /** Null if the file cannot be used. */
  readonly model: AgentCheck['model'] | null
  readonly state: StateReport
}

export interface StateReport {
  readonly directory: string | null
  /** Null if they were not checked or cannot be read. */
  readonly grants: number | null
  /** The last abnormal end of a process that used the state. */
  readonly lastFailure?: ProcessEnd
}
