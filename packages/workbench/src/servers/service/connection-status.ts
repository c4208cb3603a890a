import { OstlerError } from '@ostler/agent-api'
import { asksForLogin, type McpStatus } from '@ostler/agent-api/internal'
import type { ConnectionStatus } from '../server-service.ts'

export const disconnected: ConnectionStatus = { state: 'disconnected' }

export function toConnectionStatus(status: McpStatus): ConnectionStatus {
  switch (status.state) {
    case 'idle':
      return disconnected
    case 'connecting':
    case 'disconnected':
      return { state: status.state }
    case 'connected':
      return status.warnings.length === 0
        ? { state: status.state }
        : { state: status.state, warnings: status.warnings }
    case 'error':
      return status
  }
}

/** The status of a server that cannot even be tried, or whose first attempt failed. */
export function toErrorStatus(error: unknown): ConnectionStatus {
  const reason = error instanceof OstlerError ? error.message : 'unexpected error'
  const needsLogin = error instanceof OstlerError && asksForLogin(error)
  return { state: 'error', reason, willRetry: false, ...(needsLogin && { needsLogin }) }
}
