import type { McpElicitationAnswer } from '@ostler/agent-api/internal'
import { isRecord } from '@ostler/agent-api/internal'

/** Only an explicit `accept` counts as yes. */
export function fromElicitationResponse(response: unknown): McpElicitationAnswer {
  const action = isRecord(response) ? response['action'] : undefined
  if (action === 'decline') return { action: 'decline' }
  if (action !== 'accept' || !isRecord(response)) return { action: 'cancel' }
  const content = response['content']
  return isRecord(content) ? { action: 'accept', content } : { action: 'accept' }
}
