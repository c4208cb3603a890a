import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import {
  client,
  methods,
  ndJsonStream,
  type ClientContext,
  type PermissionOptionKind,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'

/** The editor's side of a conversation with an agent process: sends requests, answers questions, and receives updates. */
export interface Editor extends AsyncDisposable {
  readonly agent: ChildProcess
  readonly context: ClientContext
  /** The agent's stderr output so far. Normally empty. */
  readonly stderr: () => string
  onUpdate: (update: SessionUpdate) => void
  /** The person's answer to the next questions. */
  onQuestion: (question: RequestPermissionRequest) => PermissionOptionKind
}

export function openEditor(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Editor {
  const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env })
  let stderr = ''
  agent.stderr.on('data', (chunk: Buffer) => (stderr += chunk))

  const connection = client({ name: 'tour' })
    .onNotification(methods.client.session.update, ({ params }) => editor.onUpdate(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const kind = editor.onQuestion(params)
      const option = params.options.find((candidate) => candidate.kind === kind)
      return {
        outcome:
          option === undefined
            ? { outcome: 'cancelled' }
            : { outcome: 'selected', optionId: option.optionId },
      }
    })
    .connect(
      ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>),
    )

  const editor: Editor = {
    agent,
    context: connection.agent,
    stderr: () => stderr,
    onUpdate: () => {},
    onQuestion: () => 'reject_once',
    async [Symbol.asyncDispose]() {
      if (agent.exitCode !== null || agent.signalCode !== null) return
      agent.stdin.end()
      await once(agent, 'exit')
    },
  }
  return editor
}
