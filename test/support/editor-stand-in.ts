import type { AgentContext } from '@agentclientprotocol/sdk'
import { createAcpClient, type AcpClient } from '../../packages/acp-server/src/editor/acp-client.ts'

export interface EditorStandIn {
  readonly client: AcpClient
  readonly requests: readonly { readonly method: string; readonly params: unknown }[]
  /** The methods of notifications. */
  readonly notices: readonly string[]
}

/** An editor that answers requests as scripted, by method. Errors are thrown. */
export function standInForEditor(answers: Readonly<Record<string, unknown>>): EditorStandIn {
  const requests: { method: string; params: unknown }[] = []
  const notices: string[] = []
  const editor = {
    notify: async (method: string) => void notices.push(method),
    async request(method: string, params: unknown) {
      requests.push({ method, params })
      const answer = answers[method]
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  return { client: createAcpClient(editor as unknown as AgentContext, 's1'), requests, notices }
}
