import { join } from 'node:path'
import type {
  ListSessionsResponse,
  LoadSessionResponse,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { type AgentConfig, createRedactor } from '@ostler/agent-api'
import { openState, type State } from '@ostler/agent-api/internal'
import {
  openAcpInProcess,
  openAcpProcess,
  type AcpInProcess,
  type AcpInProcessOptions,
  type AcpPeer,
  type AcpPeerOptions,
  type AcpProcess,
} from './acp-harness.ts'
import { startLoopbackModel, type LoopbackModel, type Script } from './loopback-model/index.ts'
import type { LoopbackVendor } from './loopback-model/start-loopback-model.ts'
import { openTempDir } from './temp-dir.ts'

/** A folder with a state that outlives connections and processes, and a scripted model. */
export interface SessionLab extends AsyncDisposable {
  readonly path: string
  readonly stateDir: string
  readonly model: LoopbackModel
  /** The state as another program would see it. */
  readonly history: State
  /** Opens an initialized editor with a server in this process. */
  open(
    options?: Pick<AcpInProcessOptions, 'quietMs'> & AcpPeerOptions & { readonly agent?: AgentConfig },
  ): Promise<AcpInProcess>
  /** Starts an initialized editor with the real command. */
  start(options?: AcpPeerOptions & { readonly args?: readonly string[] }): Promise<AcpProcess>
}

export async function openSessionLab(
  script: Script = () => ({ text: 'hello' }),
  {
    vendor = 'anthropic',
    agent = {},
  }: { readonly vendor?: LoopbackVendor; readonly agent?: AgentConfig } = {},
): Promise<SessionLab> {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const stateDir = join(dir.path, 'state')
  const model = opened.use(await startLoopbackModel({ vendor, script }))
  const histories = opened.use(new DisposableStack())
  const history = histories.use(openState({ stateDir }))
  const all = opened.move()
  return {
    path: dir.path,
    stateDir,
    model,
    history,
    async open({ agent: more = {}, ...options } = {}) {
      const redactor = createRedactor()
      const own = histories.use(openState({ stateDir, redactor }))
      const editor = openAcpInProcess({
        ...options,
        agent: { model: model.modelId, env: model.env, history: own, redactor, ...agent, ...more },
      })
      await editor.initialize()
      return editor
    },
    async start({ args = [], ...options } = {}) {
      const editor = await openAcpProcess({
        ...options,
        args: ['--model', model.modelId, '--state-dir', stateDir, ...args],
        env: { ...model.env },
      })
      await editor.initialize()
      return editor
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

export interface Reopened {
  readonly response: LoadSessionResponse
  /** Updates sent for the session before the response. */
  readonly updates: readonly SessionUpdate[]
}

interface ReopenParams {
  readonly sessionId: string
  readonly cwd: string
  readonly mcpServers?: readonly unknown[]
}

export function load(editor: AcpPeer, params: ReopenParams): Promise<Reopened> {
  return reopen(editor, 'session/load', params)
}

export function resume(editor: AcpPeer, params: ReopenParams): Promise<Reopened> {
  return reopen(editor, 'session/resume', params)
}

async function reopen(editor: AcpPeer, method: string, params: ReopenParams): Promise<Reopened> {
  const id = `${method} ${editor.transcript.length}`
  const start = editor.transcript.length
  const response = await editor.request<LoadSessionResponse>(method, { mcpServers: [], ...params }, id)
  const end = editor.transcript.findIndex(
    ({ direction, message }) => direction === 'received' && message.id === id,
  )
  const updates = editor.transcript.slice(start, end).flatMap(({ message }) => {
    if (message.method !== 'session/update') return []
    const { sessionId, update } = message.params as SessionNotification
    return sessionId === params.sessionId ? [update] : []
  })
  return { response, updates }
}

export async function listAll(
  editor: AcpPeer,
  params: object = {},
): Promise<ListSessionsResponse['sessions']> {
  const sessions: ListSessionsResponse['sessions'] = []
  for (let cursor: string | null | undefined; ;) {
    const page: ListSessionsResponse = await editor.request('session/list', {
      ...params,
      ...(cursor ? { cursor } : {}),
    })
    sessions.push(...page.sessions)
    cursor = page.nextCursor
    if (cursor === undefined || cursor === null) return sessions
  }
}

/** Everything that a person has seen of a session on this connection, with the chunks of each text joined. */
export function seen(editor: AcpPeer, sessionId: string, turnsBefore = 0): SessionUpdate[] {
  let turn = turnsBefore
  const updates = editor.transcript.flatMap(({ direction, message }): SessionUpdate[] => {
    const params = message.params as
      | { sessionId?: string; prompt?: readonly object[]; update?: SessionUpdate }
      | undefined
    if (params?.sessionId !== sessionId) return []
    if (message.method === 'session/update' && params.update) return [params.update]
    if (direction !== 'sent' || message.method !== 'session/prompt') return []
    turn++
    return (params.prompt ?? []).map(
      (content) =>
        ({ sessionUpdate: 'user_message_chunk', messageId: `prompt_${turn}`, content }) as SessionUpdate,
    )
  })
  return conversation(updates)
}

const conversationKinds: ReadonlySet<string> = new Set<SessionUpdate['sessionUpdate']>([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'usage_update',
])

/** Only updates of the conversation, with consecutive chunks of a message joined. */
export function conversation(updates: readonly SessionUpdate[]): SessionUpdate[] {
  const joined: SessionUpdate[] = []
  for (const update of updates.filter(({ sessionUpdate }) => conversationKinds.has(sessionUpdate))) {
    const last = joined.at(-1)
    if (
      last !== undefined &&
      isText(last) &&
      isText(update) &&
      last.sessionUpdate === update.sessionUpdate &&
      last.messageId === update.messageId
    ) {
      joined[joined.length - 1] = {
        ...last,
        content: { ...last.content, text: last.content.text + update.content.text },
      }
    } else joined.push(update)
  }
  return joined
}

type TextUpdate = Extract<SessionUpdate, { sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }> & {
  content: { type: 'text'; text: string }
}

function isText(update: SessionUpdate): update is TextUpdate {
  return (
    (update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk') &&
    update.content.type === 'text'
  )
}
