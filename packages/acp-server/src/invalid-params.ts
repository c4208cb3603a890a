import { OstlerError } from '@ostler/agent-api'

/** `field` is a path in the params (`mcpServers`, `prompt[2].data`). The message never contains the value. */
export function invalidParams(field: string, problem: string): OstlerError {
  return new OstlerError('acp.invalid_params', `Invalid params: ${field} ${problem}`, { data: { field } })
}
