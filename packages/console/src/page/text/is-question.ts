import type { CallSummary } from '@ostler/agent-api/manage'

/** True for a question of a server to the person: a form, or a page to open. The history keeps it like a call. */
export function isQuestion({ server, tool }: Pick<CallSummary, 'server' | 'tool'>): boolean {
  return server !== null && tool === 'elicitation'
}

/** True for whatever a server asks. Nobody can call it again. */
export function isServerRequest(call: Pick<CallSummary, 'server' | 'tool'>): boolean {
  return isQuestion(call) || (call.server !== null && call.tool === 'sampling')
}
