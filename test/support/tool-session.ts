import type { ClientCapabilities } from '@agentclientprotocol/sdk'
import type { AgentConfig } from '@ostler/agent-api'
import { expect } from 'vitest'
import { createEditorServices, type EditorServices } from './acp-editor-tools.ts'
import type { AcpPeerOptions } from './acp-harness.ts'
import { openScriptedSession, type ScriptedSession } from './acp-scripted.ts'
import type { ModelRequest, Reply } from './loopback-model/index.ts'

type Editor = readonly [name: string, capabilities: ClientCapabilities]

const fs = { readTextFile: true, writeTextFile: true }

/** The editors that every built-in tool is tested in. Each ability is missing in one and present in the other. */
export const editors = [
  ['nothing', {}],
  ['files and terminals', { fs, terminal: true }],
] as const satisfies readonly Editor[]

/** Also an editor with one ability only: each is chosen by itself. */
export const mixedEditors = [...editors, ['files', { fs }]] as const satisfies readonly Editor[]

/** A session whose model makes the calls that a test asks for. */
export interface ToolSession extends ScriptedSession {
  readonly services: EditorServices
  /** Makes one call, and returns what the model reads of it. */
  call(name: string, args: unknown): Promise<string>
  /** Makes several calls in one step, and returns what the model reads of each. */
  callTogether(calls: readonly ToolSessionCall[]): Promise<readonly string[]>
  /** Makes one call in a prompt that counts as not sent: the key is rejected before the model reads the result. */
  callUnsent(name: string, args: unknown): Promise<void>
}

export interface ToolSessionCall {
  readonly name: string
  readonly args: unknown
}

export interface ToolSessionOptions {
  readonly agent?: AgentConfig
  readonly onPermission?: AcpPeerOptions['onPermission']
  /** Replace answers of the editor. */
  readonly handlers?: AcpPeerOptions['handlers']
  readonly additionalDirectories?: readonly string[]
}

export async function openToolSession(
  capabilities: ClientCapabilities,
  { agent = {}, onPermission, handlers, additionalDirectories }: ToolSessionOptions = {},
): Promise<ToolSession> {
  await using opened = new AsyncDisposableStack()
  const services = opened.use(createEditorServices())
  let next: readonly ToolSessionCall[] = []
  let answer: Reply = { text: 'done' }
  const script = (request: ModelRequest): Reply =>
    request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result' ? answer : { toolCalls: [...next] }
  const session = opened.use(
    await openScriptedSession({
      script,
      agent,
      capabilities,
      handlers: { ...services.handlers, ...handlers },
      ...(additionalDirectories !== undefined && { additionalDirectories }),
      ...(onPermission !== undefined && { onPermission }),
    }),
  )
  const all = opened.move()

  async function callTogether(calls: readonly ToolSessionCall[]): Promise<readonly string[]> {
    next = calls
    await session.editor.prompt(session.sessionId, 'go')
    const parts = session.model.requests.at(-1)?.messages.flatMap((message) => message.parts) ?? []
    return parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])).slice(-calls.length)
  }

  return {
    ...session,
    services,
    callTogether,
    async callUnsent(name, args) {
      next = [{ name, args }]
      answer = { status: 401 }
      await expect(session.editor.prompt(session.sessionId, 'go')).rejects.toThrow(/rejected the API key/)
      answer = { text: 'done' }
    },
    call: async (name, args) => (await callTogether([{ name, args }])).at(-1) ?? 'no result',
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
