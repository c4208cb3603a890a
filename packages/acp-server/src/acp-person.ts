import { randomUUID } from 'node:crypto'
import type { Answer, Person } from '@ostler/agent-api'
import {
  answerOf,
  isRecord,
  withoutRemoteImages,
  type ApprovalQuestion,
  type FormQuestion,
  type LoginQuestion,
  type PageQuestion,
} from '@ostler/agent-api/internal'
import type { AcpClient } from './editor/acp-client.ts'
import type { EditorCapabilities } from './editor/from-acp-client-capabilities.ts'
import { toElicitationSchema } from './editor/to-elicitation-schema.ts'
import { toPermissionRequest } from './to-permission-request.ts'
import { toAcpToolCall } from './to-acp-update.ts'

export interface AcpPersonOptions {
  readonly client: AcpClient
  readonly sessionId: string
  readonly capabilities: EditorCapabilities
  /** Settles once the editor knows the session. */
  readonly canBeAsked: () => Promise<void>
}

const cancelled: Answer = { verdict: 'cancelled' }

/** The person in the editor. Nothing has a timeout: they may be away, and silence allows nothing. */
export function createAcpPerson({ client, sessionId, capabilities, canBeAsked }: AcpPersonOptions): Person {
  const { elicitForm, elicitUrl } = capabilities
  /** The pages that the editor was asked to open and that are not finished. */
  const pages = new Set<string>()

  async function askCall(question: ApprovalQuestion, signal: AbortSignal): Promise<Answer> {
    if (question.isApart === true) {
      // The editor may not know the session yet.
      await canBeAsked()
      if (!signal.aborted)
        await client.update({ sessionUpdate: 'tool_call', ...toAcpToolCall(question.call) })
    }
    if (signal.aborted) return cancelled
    return fromPermissionResponse(
      await client.requestPermission(toPermissionRequest(question), signal),
      question,
    )
  }

  async function askForm(question: FormQuestion, signal: AbortSignal): Promise<Answer> {
    const requestedSchema = elicitForm ? toElicitationSchema(question.schema) : undefined
    if (requestedSchema === undefined) return cancelled
    const { callId: toolCallId } = question
    const form = { mode: 'form', sessionId, message: messageOf(question), requestedSchema } as const
    return fromElicitationResponse(
      await client.elicit(toolCallId === undefined ? form : { ...form, toolCallId }, signal),
    )
  }

  async function openPage(message: string, url: string, elicitationId: string, signal: AbortSignal) {
    // A server must not make the editor open a file or start a program.
    if (signal.aborted || !elicitUrl || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return cancelled
    return fromElicitationResponse(
      await client.elicit({ mode: 'url', sessionId, message, url, elicitationId }, signal),
    )
  }

  async function askPage(question: PageQuestion, signal: AbortSignal): Promise<Answer> {
    const { url, elicitationId } = question
    let isOpened = false
    // The server may say that the page is finished before the editor answers.
    pages.add(elicitationId)
    try {
      const answer = await openPage(messageOf(question), url, elicitationId, signal)
      isOpened = answer.verdict === 'allow'
      return answer
    } finally {
      if (!isOpened) pages.delete(elicitationId)
    }
  }

  async function askLogin({ server, url, scope }: LoginQuestion, signal: AbortSignal): Promise<Answer> {
    await canBeAsked()
    const name = JSON.stringify(server)
    const message =
      scope === undefined
        ? `Log in to the MCP server ${name} with your browser. Its tools can be used afterwards.`
        : `A call needs more permissions of the MCP server ${name}. Log in with your browser to grant: ${scope}`
    const id = randomUUID()
    const answer = await openPage(message, url, id, signal)
    // The login ends with the signal.
    if (answer.verdict === 'allow') signal.addEventListener('abort', () => finish(client, id), { once: true })
    return answer
  }

  return {
    asks: [
      'call',
      'restore',
      ...(elicitForm ? (['form'] as const) : []),
      ...(elicitUrl ? (['page', 'login'] as const) : []),
    ],
    async ask(question, signal) {
      if (signal.aborted) return cancelled
      switch (question.kind) {
        case 'call':
        case 'restore':
          return askCall(question, signal)
        case 'form':
          return askForm(question, signal)
        case 'page':
          return askPage(question, signal)
        case 'login':
          return askLogin(question, signal)
      }
    },
    async end({ call }, { verdict }) {
      await client.update({
        sessionUpdate: 'tool_call_update',
        toolCallId: call.id,
        status: verdict === 'allow' ? 'completed' : 'failed',
      })
    },
    visited(elicitationId) {
      if (pages.delete(elicitationId)) finish(client, elicitationId)
    },
  }
}

function finish(client: AcpClient, elicitationId: string): void {
  void client.elicited(elicitationId).catch(() => undefined)
}

/** A server's question is shown under its name. */
function messageOf({ server, message }: FormQuestion | PageQuestion): string {
  return server === null
    ? message
    : `The MCP server ${JSON.stringify(server)} asks: ${withoutRemoteImages(message)}`
}

/** Only an option that was offered can allow the call. */
export function fromPermissionResponse(
  response: unknown,
  question: Pick<ApprovalQuestion, 'ref' | 'lasting'>,
): Answer {
  const { outcome, _meta: meta } = isRecord(response) ? response : {}
  if (isRecord(meta) && meta['ostler/answeredBy'] === 'nobody') return { verdict: 'deny', from: 'nobody' }
  if (isRecord(outcome) && outcome['outcome'] === 'cancelled') return cancelled
  return answerOf(
    question,
    isRecord(outcome) && outcome['outcome'] === 'selected' ? outcome['optionId'] : undefined,
  )
}

/** Only an explicit `accept` counts as yes. */
function fromElicitationResponse(response: unknown): Answer {
  const { action, content } = isRecord(response) ? response : {}
  if (action === 'decline') return { verdict: 'deny' }
  if (action !== 'accept') return cancelled
  return isRecord(content) ? { verdict: 'allow', values: content } : { verdict: 'allow' }
}
