import {
  type AgentContext,
  type CreateElicitationRequest,
  type CreateTerminalRequest,
  methods,
  type ReadTextFileRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
  type TerminalExitStatus,
  type TerminalOutputResponse,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk'
import { OstlerError } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'

type WithoutSession<T extends { sessionId: string }> = Omit<T, 'sessionId'>

export type AcpClient = ReturnType<typeof createAcpClient>

/** Requests to the editor on behalf of one session. The caller must check the editor's capabilities. */
export function createAcpClient(editor: AgentContext, sessionId: string) {
  // Stop waiting on cancellation, because an unresponsive editor must not hold up a cancelled turn.
  const until = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true })
  const { session, fs, terminal, elicitation } = methods.client
  return {
    update: (update: SessionUpdate): Promise<void> => editor.notify(session.update, { sessionId, update }),
    /** Returns the response unchecked. */
    requestPermission: (
      params: WithoutSession<RequestPermissionRequest>,
      signal: AbortSignal,
    ): Promise<unknown> => editor.request(session.requestPermission, { sessionId, ...params }, until(signal)),
    elicit: (params: CreateElicitationRequest, signal: AbortSignal): Promise<unknown> =>
      editor.request(elicitation.create, params, until(signal)),
    /** Tells the editor that the purpose of an opened page is fulfilled. */
    elicited: (elicitationId: string) => editor.notify(elicitation.complete, { elicitationId }),
    async readTextFile(params: WithoutSession<ReadTextFileRequest>, signal: AbortSignal): Promise<string> {
      return readText(
        await editor.request(fs.readTextFile, { sessionId, ...params }, until(signal)),
        'content',
      )
    },
    async writeTextFile(params: WithoutSession<WriteTextFileRequest>, signal: AbortSignal): Promise<void> {
      await editor.request(fs.writeTextFile, { sessionId, ...params }, until(signal))
    },
    async createTerminal(params: WithoutSession<CreateTerminalRequest>): Promise<string> {
      return readText(await editor.request(terminal.create, { sessionId, ...params }), 'terminalId')
    },
    async terminalOutput(terminalId: string, signal: AbortSignal): Promise<TerminalOutputResponse> {
      const answer = await editor.request(terminal.output, { sessionId, terminalId }, until(signal))
      return { ...answer, output: readText(answer, 'output') }
    },
    waitForTerminalExit: (terminalId: string, signal: AbortSignal): Promise<TerminalExitStatus> =>
      editor.request(terminal.waitForExit, { sessionId, terminalId }, until(signal)),
    async killTerminal(terminalId: string): Promise<void> {
      await editor.request(terminal.kill, { sessionId, terminalId })
    },
    async releaseTerminal(terminalId: string): Promise<void> {
      await editor.request(terminal.release, { sessionId, terminalId })
    },
  }
}

/** The SDK does not validate responses. */
function readText(answer: unknown, field: string): string {
  const value = isRecord(answer) ? answer[field] : undefined
  if (typeof value !== 'string') throw new OstlerError('acp.editor_answer', `its answer has no "${field}"`)
  return value
}
