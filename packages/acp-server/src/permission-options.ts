import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { ApprovalAnswer, ApprovalQuestion } from '@ostler/agent-api'
import { answerChoices, isRecord } from '@ostler/agent-api/internal'

type Asked = Pick<ApprovalQuestion, 'ref' | 'lasting'>

/** The answers to a question. Each one says what it allows. */
export function permissionOptionsFor(asked: Asked): PermissionOption[] {
  return answerChoices(asked).map(({ id, kind, name }) => ({ optionId: id, kind, name }))
}

const deny = { verdict: 'deny', scope: 'once' } as const

/** Only an option that was offered can allow the call. */
export function fromPermissionResponse(response: unknown, asked: Asked): ApprovalAnswer {
  const { outcome, _meta: meta } = isRecord(response) ? response : {}
  if (isRecord(meta) && meta['ostler/answeredBy'] === 'nobody') return { ...deny, from: 'nobody' }
  if (!isRecord(outcome)) return deny
  if (outcome['outcome'] === 'cancelled') return { verdict: 'cancelled' }
  if (outcome['outcome'] !== 'selected') return deny
  return answerChoices(asked).find(({ id }) => id === outcome['optionId'])?.answer ?? deny
}
