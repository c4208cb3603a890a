import type { CallStatus } from '@ostler/agent-api/manage'
import { statusOfCall, type TranscriptCall } from '@ostler/agent-api/transcript'

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

/** The end of a call, in the same words. */
export function describeEnd(end: NonNullable<TranscriptCall['end']>): string {
  return statusWords[statusOfCall({ status: 'completed', end })]
}
