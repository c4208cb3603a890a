import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { ApprovalAnswer, ApprovalQuestion } from '@ostler/agent-api'
import { isRecord, showHidden, shownCommand, type Lasting } from '@ostler/agent-api/internal'

interface Choice {
  readonly option: PermissionOption
  readonly answer: ApprovalAnswer
}

type Asked = Pick<ApprovalQuestion, 'ref' | 'lasting'>

const allowOnce = choice('allow-once', 'Allow once', { verdict: 'allow', scope: 'once' })
const rejectOnce = choice('reject-once', 'Reject once', { verdict: 'deny', scope: 'once' })
const rejectAlways = choice('reject-always', 'Always reject this tool', { verdict: 'deny', scope: 'always' })

/** The answers to a question. Each one says what it allows. */
export function permissionOptionsFor(asked: Asked): PermissionOption[] {
  return choicesFor(asked).map(({ option }) => option)
}

function choicesFor({ ref, lasting }: Asked): readonly Choice[] {
  if (lasting.type === 'origin') return [allowOnce, ...lastingChoices(lasting), rejectOnce, rejectAlways]
  if (lasting.type !== 'tool') return [allowOnce, ...lastingChoices(lasting), rejectOnce]
  const allowServer = choice('allow-server', "Always allow this server's tools", { verdict: 'allow', scope: 'server' })
  return [
    allowOnce,
    allowSession('Allow this tool for this session'),
    allowAlways('Always allow this tool'),
    // A local tool has no server.
    ...(ref.server === null ? [] : [allowServer]),
    rejectOnce,
    rejectAlways,
  ]
}

function lastingChoices(lasting: Exclude<Lasting, { type: 'tool' }>): readonly Choice[] {
  switch (lasting.type) {
    case 'command': {
      const command = shownCommand(lasting.command, 'this folder')
      return [allowSession(`Allow ${command} for this session`), allowAlways(`Always allow ${command}`)]
    }
    case 'folder':
      return [allowSession(`Allow this tool in ${showHidden(lasting.folder)} for this session`)]
    case 'origin':
      return [allowSession(`Allow pages of ${lasting.origin} for this session`), allowAlways(`Always allow pages of ${lasting.origin}`)]
    case 'nothing':
      return []
  }
}

function allowSession(name: string): Choice {
  return choice('allow-session', name, { verdict: 'allow', scope: 'session' })
}

function allowAlways(name: string): Choice {
  return choice('allow-always', name, { verdict: 'allow', scope: 'always' })
}

function choice(optionId: string, name: string, answer: Exclude<ApprovalAnswer, { verdict: 'cancelled' }>): Choice {
  const isOnce = answer.scope === 'once'
  const kind = answer.verdict === 'allow' ? (isOnce ? 'allow_once' : 'allow_always') : isOnce ? 'reject_once' : 'reject_always'
  return { option: { optionId, kind, name }, answer }
}

const deny: ApprovalAnswer = { verdict: 'deny', scope: 'once' }

/** Only an option that was offered can allow the call. */
export function fromPermissionResponse(response: unknown, asked: Asked): ApprovalAnswer {
  const outcome = isRecord(response) ? response['outcome'] : undefined
  if (!isRecord(outcome)) return deny
  if (outcome['outcome'] === 'cancelled') return { verdict: 'cancelled' }
  if (outcome['outcome'] !== 'selected') return deny
  return choicesFor(asked).find(({ option }) => option.optionId === outcome['optionId'])?.answer ?? deny
}
