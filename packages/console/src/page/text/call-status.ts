import type { CallStatus, CallSummary } from '@ostler/agent-api/manage'
import { statusOfCall, type TranscriptCall } from '@ostler/agent-api/transcript'
import { waitsForPerson } from './waits-for-person.ts'

/** The words for the status of a call, the same on every page. Addresses and exports keep the codes. */
export const statusWords: Readonly<Record<CallStatus, string>> = {
  pending: 'Waiting',
  running: 'Running',
  success: 'Succeeded',
  error: 'Failed',
  denied: 'Denied',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
}

export function describeStatus(call: Pick<CallSummary, 'status' | 'decision'>): string {
  return waitsForPerson(call) ? 'Waiting for you' : statusWords[call.status]
}

/** The end of a call, in the same words. */
export function describeEnd(end: NonNullable<TranscriptCall['end']>): string {
  return statusWords[statusOfCall({ status: 'completed', end })]
}
