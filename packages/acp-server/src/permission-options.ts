import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { ApprovalAnswer } from '@ostler/agent-api'
import { isRecord } from './wire/message.ts'

const choices = [
  { option: { optionId: 'allow-once', kind: 'allow_once', name: 'Allow' }, answer: { verdict: 'allow', scope: 'once' } },
  { option: { optionId: 'allow-session', kind: 'allow_always', name: 'Always allow this tool in this session' }, answer: { verdict: 'allow', scope: 'session' } },
  { option: { optionId: 'reject-once', kind: 'reject_once', name: 'Reject' }, answer: { verdict: 'deny', scope: 'once' } },
  { option: { optionId: 'reject-session', kind: 'reject_always', name: 'Always reject this tool in this session' }, answer: { verdict: 'deny', scope: 'session' } },
] as const satisfies readonly { option: PermissionOption; answer: ApprovalAnswer }[]

export const permissionOptions: readonly PermissionOption[] = choices.map((choice) => choice.option)

const deny: ApprovalAnswer = { verdict: 'deny', scope: 'once' }

/** Only an option we offered can allow; whatever else comes back does not. */
export function fromPermissionResponse(response: unknown): ApprovalAnswer {
  const outcome = isRecord(response) ? response['outcome'] : undefined
  if (!isRecord(outcome)) return deny
  if (outcome['outcome'] === 'cancelled') return { verdict: 'cancelled' }
  if (outcome['outcome'] !== 'selected') return deny
  return choices.find((choice) => choice.option.optionId === outcome['optionId'])?.answer ?? deny
}
