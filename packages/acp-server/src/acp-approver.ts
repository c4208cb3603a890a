import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { ApprovalQuestion, Approver } from '@ostler/agent-api'
import { fence, type PlanFacts } from '@ostler/agent-api/internal'
import type { AcpClient } from './editor/acp-client.ts'
import { fromPermissionResponse, permissionOptionsFor } from './permission-options.ts'
import { toAcpToolContent } from './to-acp-tool-content.ts'
import { toAcpToolCall } from './to-acp-update.ts'

/** Asks through the editor. There is no timeout: the person may be away, and silence allows nothing. */
export function createAcpApprover(client: AcpClient, canBeAsked: () => Promise<void>): Approver {
  return {
    async ask(question, signal) {
      if (question.isApart === true) {
        // The editor may not know the session yet.
        await canBeAsked()
        if (!signal.aborted) await client.update({ sessionUpdate: 'tool_call', ...toAcpToolCall(question.call) })
      }
      if (signal.aborted) return { verdict: 'cancelled' }
      return fromPermissionResponse(await client.requestPermission(toPermissionRequest(question), signal), question)
    },
    async end({ id }, { verdict }) {
      await client.update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: verdict === 'allow' ? 'completed' : 'failed' })
    },
  }
}

/**
 * Repeats everything known about the call, because an editor may show only this. The title is ours. Arguments, commands and paths are
 * shown in full as data, so that a server's text cannot pass for ours.
 */
function toPermissionRequest(question: ApprovalQuestion): Omit<RequestPermissionRequest, 'sessionId'> {
  const { call, plan } = question
  const diffs = call.content?.filter(({ type }) => type === 'diff') ?? []
  const lines = plan === undefined ? describeTool(question) : describePlan(question, plan, diffs.length > 0)
  const text = lines.length === 0 ? [] : [{ type: 'text' as const, text: lines.join('\n\n') }]
  return {
    toolCall: { ...toAcpToolCall(call), content: [...text, ...diffs].map(toAcpToolContent) },
    options: permissionOptionsFor(question),
  }
}

function describeTool({ ref, args, serverOrigin, claims, ...change }: ApprovalQuestion): readonly string[] {
  const source = ref.server === null ? 'A tool of Ostler' : `A tool of the MCP server ${JSON.stringify(ref.server)}`
  return [
    `${source}: ${JSON.stringify(ref.tool)}`,
    ...describeChanges(change),
    ...describeClaims(claims),
    ...(serverOrigin === undefined ? [] : ['It runs:', fence(serverOrigin)]),
    'Arguments:',
    fence(JSON.stringify(args, null, 2), 'json'),
  ]
}

/** A diff replaces the arguments, because it shows what they do. */
function describePlan({ args, lasting, ...change }: ApprovalQuestion, plan: PlanFacts, hasDiff: boolean): readonly string[] {
  const { command, sensitive = [], outside = [] } = plan
  const others = Object.entries(args).filter(([, value]) => value !== command?.line)
  return [
    ...describeChanges(change),
    ...(sensitive.length === 0 ? [] : [command === undefined ? usuallySecret : decidesCommand, fence(sensitive.join('\n'))]),
    ...(outside.length === 0 ? [] : ["This is outside the session's directories:", fence(outside.join('\n'))]),
    ...(command === undefined ? [] : ['Command:', fence(command.line, 'sh'), 'It runs in:', fence(command.cwd)]),
    ...(lasting.type === 'command' && !lasting.command.isExact ? [harmlessNote] : []),
    ...(hasDiff || others.length === 0 ? [] : ['Arguments:', fence(JSON.stringify(Object.fromEntries(others), null, 2), 'json')]),
  ]
}

const usuallySecret = 'This usually holds secrets, or can make another program run:'
/** Of a launcher. */
const decidesCommand = 'These files decide what the command runs:'
const harmlessNote = '“…” stands for harmless options, and for paths inside this folder.'
/** Nothing checks these claims, so they are said to be the server's. */
function describeClaims(claims: ApprovalQuestion['claims'] = {}): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = claims
  const said = [
    readOnlyHint === true ? 'it only reads' : readOnlyHint === false ? 'it may change things' : undefined,
    readOnlyHint === true
      ? undefined
      : destructiveHint === true
        ? 'it may destroy things'
        : destructiveHint === false
          ? 'it only adds'
          : undefined,
    idempotentHint === true && readOnlyHint !== true ? 'calling it again has no further effect' : undefined,
    openWorldHint === true
      ? 'it may reach beyond this machine'
      : openWorldHint === false
        ? 'it reaches nothing beyond its own data'
        : undefined,
  ].filter((claim) => claim !== undefined)
  return said.length === 0 ? [] : [`The server says: ${said.join(', ')}.`]
}

function describeChanges({ changes = [], difference }: Pick<ApprovalQuestion, 'changes' | 'difference'>): readonly string[] {
  if (changes.length === 0) return []
  return [
    `You allowed it before, but it has changed since: ${changes.join(', ')}.`,
    ...(difference === null ? ['The earlier definition was not kept, so it cannot be compared.'] : []),
    ...(difference === undefined || difference === null || difference === '' ? [] : [fence(difference, 'diff')]),
  ]
}
