import { OstlerError } from '@ostler/agent-api'

/** A request that cannot be answered as it is; said with this status. */
export function requestError(status: number, code: `console.${string}`, message: string, data: Record<string, unknown> = {}): OstlerError {
  return new OstlerError(code, message, { data: { ...data, status } })
}
