import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import {
  answerChoices,
  type ApprovalQuestion,
  describeClaims,
  describeFence,
  fence,
  type PlanFacts,
} from '@ostler/agent-api/internal'
import { toAcpToolContent } from './to-acp-tool-content.ts'
import { toAcpToolCall } from './to-acp-update.ts'

/**
 * Repeats everything known about the call, because an editor may show only this. The title is ours. Arguments, commands and paths are
 * shown in full as data, so that a server's text cannot pass for ours.
 */
export function toPermissionRequest(question: ApprovalQuestion): Omit<RequestPermissionRequest, 'sessionId'> {
  const { call, plan } = question
  const diffs = call.content?.filter(({ type }) => type === 'diff') ?? []
  const lines =
    plan !== undefined
      ? describePlan(question, plan, diffs.length > 0)
      : question.lasting.type === 'host'
        ? [
            'It runs in a sandbox, from which it can reach only hosts that you allow:',
            fence(question.lasting.host),
          ]
        : describeTool(question)
  const text = lines.length === 0 ? [] : [{ type: 'text' as const, text: lines.join('\n\n') }]
  return {
    toolCall: { ...toAcpToolCall(call), content: [...text, ...diffs].map(toAcpToolContent) },
    options: answerChoices(question).map(({ id, kind, name }) => ({ optionId: id, kind, name })),
  }
}

function describeTool({
  ref,
  args,
  serverOrigin,
  serverFence,
  claims,
  ...change
}: ApprovalQuestion): readonly string[] {
  const source =
    ref.server === null ? 'A tool of Ostler' : `A tool of the MCP server ${JSON.stringify(ref.server)}`
  const said = describeClaims(claims)
  return [
    `${source}: ${JSON.stringify(ref.tool)}`,
    ...describeChanges(change),
    ...(said === '' ? [] : [`The server says: ${said}.`]),
    ...(serverOrigin === undefined ? [] : ['It runs:', fence(serverOrigin)]),
    ...fenceLines(serverFence),
    'Arguments:',
    fence(JSON.stringify(args, null, 2), 'json'),
  ]
}

/** A diff replaces the arguments, because it shows what they do. */
function describePlan(
  { args, lasting, ...change }: ApprovalQuestion,
  plan: PlanFacts,
  hasDiff: boolean,
): readonly string[] {
  const { command, fence: held, sensitive = [], outside = [] } = plan
  const others = Object.entries(args).filter(([, value]) => value !== command?.line)
  return [
    ...describeChanges(change),
    ...(sensitive.length === 0
      ? []
      : [command === undefined ? usuallySecret : decidesCommand, fence(sensitive.join('\n'))]),
    ...(outside.length === 0
      ? []
      : ["This is outside the session's directories:", fence(outside.join('\n'))]),
    ...(command === undefined
      ? []
      : ['Command:', fence(command.line, 'sh'), 'It runs in:', fence(command.cwd)]),
    ...fenceLines(held),
    ...(lasting.type === 'command' && !lasting.command.isExact ? [harmlessNote] : []),
    ...(hasDiff || others.length === 0
      ? []
      : ['Arguments:', fence(JSON.stringify(Object.fromEntries(others), null, 2), 'json')]),
  ]
}

function fenceLines(held: PlanFacts['fence']): readonly string[] {
  return held === undefined ? [] : [`It runs ${describeFence(held)}.`]
}

const usuallySecret = 'This usually holds secrets, or can make another program run:'
const decidesCommand = 'These files decide what the command runs:'
const harmlessNote = '“…” stands for harmless options, and for paths inside this folder.'
function describeChanges({
  warning,
  changes = [],
  difference,
}: Pick<ApprovalQuestion, 'warning' | 'changes' | 'difference'>): readonly string[] {
  return [
    ...(warning === undefined ? [] : [warning]),
    ...(changes.length === 0
      ? []
      : [`You allowed it before, but it has changed since: ${changes.join(', ')}.`]),
    ...(difference === null ? ['The earlier definition was not kept, so it cannot be compared.'] : []),
    ...(difference === undefined || difference === null || difference === ''
      ? []
      : [fence(difference, 'diff')]),
  ]
}
