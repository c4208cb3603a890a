import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { ApprovalAnswer, ToolRef } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'

const choices = [
  { option: { optionId: 'allow-once', kind: 'allow_once', name: 'Allow once' }, answer: { verdict: 'allow', scope: 'once' } },
  {
    option: { optionId: 'allow-session', kind: 'allow_always', name: 'Allow this tool for this session' },
    answer: { verdict: 'allow', scope: 'session' },
  },
  {
    option: { optionId: 'allow-always', kind: 'allow_always', name: 'Always allow this tool' },
    answer: { verdict: 'allow', scope: 'always' },
  },
  {
    option: { optionId: 'allow-server', kind: 'allow_always', name: "Always allow this server's tools" },
    answer: { verdict: 'allow', scope: 'server' },
  },
  { option: { optionId: 'reject-once', kind: 'reject_once', name: 'Reject once' }, answer: { verdict: 'deny', scope: 'once' } },
  {
    option: { optionId: 'reject-always', kind: 'reject_always', name: 'Always reject this tool' },
    answer: { verdict: 'deny', scope: 'always' },
  },
] as const satisfies readonly { option: PermissionOption; answer: ApprovalAnswer }[]

/** A local tool has no server, so that option is left out. */
export function permissionOptionsFor({ server }: ToolRef): PermissionOption[] {
  return choices.filter(({ answer }) => server !== null || answer.scope !== 'server').map((choice) => choice.option)
}

const deny: ApprovalAnswer = { verdict: 'deny', scope: 'once' }

/** Only an option that was offered can allow the call. */
export function fromPermissionResponse(response: unknown): ApprovalAnswer {
  const outcome = isRecord(response) ? response['outcome'] : undefined
  if (!isRecord(outcome)) return deny
  if (outcome['outcome'] === 'cancelled') return { verdict: 'cancelled' }
  if (outcome['outcome'] !== 'selected') return deny
  return choices.find((choice) => choice.option.optionId === outcome['optionId'])?.answer ?? deny
}
