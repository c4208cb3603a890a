import { OstlerError } from '@ostler/agent-api'

/** An error reply with this status. */
export function requestError(status: number, code: `console.${string}`, message: string, data: Record<string, unknown> = {}): OstlerError {
  return new OstlerError(code, message, { data: { ...data, status } })
}
