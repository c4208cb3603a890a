import type { CallSummary } from '@ostler/agent-api/manage'

/** A call that is decided and still pending waits for a place, not for a person. */
export function waitsForPerson({ status, decision }: Pick<CallSummary, 'status' | 'decision'>): boolean {
  return status === 'pending' && decision === null
}
