import type { Readable, Writable } from 'node:stream'
import type {
  ClientCapabilities,
  ContentBlock,
  InitializeResponse,
  NewSessionResponse,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { problemsOfCall, problemsOfError, problemsOfResult } from './acp-schema.ts'

/** Timeout for things that should happen at once, even on a busy machine. */
const waitMsMax = 30_000

export type JsonRpcId = string | number | null

export interface WireMessage {
  readonly jsonrpc?: string
  readonly id?: JsonRpcId
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface TranscriptEntry {
  readonly direction: 'sent' | 'received'
  readonly line: string
  readonly message: WireMessage
}

export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: NonNullable<WireMessage['error']>) {
    super(message)
    this.code = code
    this.data = data
  }
}

export type RequestHandler = (params: unknown, id: JsonRpcId) => unknown

export interface AcpPeerOptions {
  /** By default, everything that the peer itself can answer. File system and terminal need handlers. */
  readonly capabilities?: ClientCapabilities
  /** Answers permission requests; allows once by default. Return `neverAnswer` to leave one open. */
  readonly onPermission?: (request: RequestPermissionRequest) => unknown
  /** Answers to other requests of the agent, by method. Without a handler, the answer is -32601. */
  readonly handlers?: Readonly<Record<string, RequestHandler>>
  /** For what takes long by itself. */
  readonly waitMs?: number
}

export const neverAnswer = Symbol('never answer')

/**
 * An editor at the level of lines. Validates every message of the agent against ACP's schema, keeps a transcript, and fails the test at its
 * end on any violation.
 */
export interface AcpPeer {
  readonly transcript: readonly TranscriptEntry[]
  /** Messages that the agent should not have sent. */
  readonly violations: readonly string[]
  /** Sends anything. Answers to requests sent this way must be announced with `expectAnswer`. */
  sendBytes(bytes: string | Uint8Array): void
  expectAnswer(id: JsonRpcId, method: string): void
  send(message: unknown): void
  request<T = unknown>(method: string, params?: unknown, id?: JsonRpcId): Promise<T>
  notify(method: string, params?: unknown): void
  initialize(overrides?: Record<string, unknown>): Promise<InitializeResponse>
  newSession(options: NewSessionOptions): Promise<NewSessionResponse>
  prompt(sessionId: string, prompt: string | readonly ContentBlock[]): Promise<PromptResponse>
  /** All updates of a session so far. */
  updates(sessionId: string): SessionUpdate[]
  /** The text of the agent's messages so far. */
  text(sessionId: string): string
  permissionRequests(): RequestPermissionRequest[]
  received(): WireMessage[]
  /** The first matching message, past or future. */
  waitFor(fits: (message: WireMessage) => boolean, what?: string): Promise<WireMessage>
  waitForUpdate<K extends SessionUpdate['sessionUpdate']>(
    sessionId: string,
    kind: K,
    fits?: (update: Extract<SessionUpdate, { sessionUpdate: K }>) => boolean,
  ): Promise<Extract<SessionUpdate, { sessionUpdate: K }>>
  /** Stops reading, like a busy editor. */
  pauseReading(): void
  resumeReading(): void
  /** Throws if the agent violated a rule. */
  check(): void
}

export interface NewSessionOptions {
  readonly cwd: string
  readonly mcpServers?: readonly unknown[]
  readonly additionalDirectories?: readonly string[]
}

interface Waiter {
  readonly fits: (message: WireMessage) => boolean
  readonly resolve: (message: WireMessage) => void
}

export function createAcpPeer(fromAgent: Readable, toAgent: Writable, options: AcpPeerOptions = {}): AcpPeer {
  const transcript: TranscriptEntry[] = []
  const received: WireMessage[] = []
  const updatesOf = new Map<string, SessionUpdate[]>()
  const violations: string[] = []
  const methodOfId = new Map<JsonRpcId, string>()
  const pending = new Map<JsonRpcId, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  const waiters = new Set<Waiter>()
  const answeredSessions = new Set<string>()
  let nextId = 0
  let rest = ''
  let ended = false

  fromAgent.setEncoding('utf8')
  fromAgent.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(line)
  })
  fromAgent.on('close', () => {
    ended = true
    // Not if the test itself destroyed the stream in the middle of a line.
    if (rest !== '' && fromAgent.readableEnded) violations.push(`unfinished line: ${rest.slice(0, 200)}`)
    for (const { reject } of pending.values()) reject(new Error('the agent closed its output'))
    pending.clear()
  })
  toAgent.on('error', () => undefined)

  function receive(line: string): void {
    let message: WireMessage
    try {
      message = JSON.parse(line) as WireMessage
    } catch {
      violations.push(`not JSON: ${line.slice(0, 200)}`)
      return
    }
    transcript.push({ direction: 'received', line, message })
    received.push(message)
    checkMessage(message)
    if (message.method !== undefined && message.id !== undefined)
      void answer(message.method, message.params, message.id)
    if (message.method === undefined && message.id !== undefined) settle(message)
    for (const waiter of waiters) {
      if (!waiter.fits(message)) continue
      waiters.delete(waiter)
      waiter.resolve(message)
    }
  }

  function checkMessage(message: WireMessage): void {
    if (message.jsonrpc !== '2.0') violations.push(`no jsonrpc: ${JSON.stringify(message).slice(0, 200)}`)
    violations.push(
      ...problemsOf(message).map((problem) => `${problem} in ${JSON.stringify(message).slice(0, 500)}`),
    )
    if (message.method !== 'session/update') return
    const { sessionId, update } = message.params as SessionNotification
    updatesOf
      .set(sessionId, updatesOf.get(sessionId) ?? [])
      .get(sessionId)
      ?.push(update)
    if (!answeredSessions.has(sessionId))
      violations.push(`an update for a session before its session/new was answered: ${sessionId}`)
  }

  function problemsOf(message: WireMessage): string[] {
    if (message.method !== undefined)
      return problemsOfCall(
        message.method,
        message.params,
        message.id === undefined ? 'notification' : 'request',
      )
    if (message.error !== undefined) return problemsOfError(message.error)
    const method = methodOfId.get(message.id ?? null)
    return method === undefined
      ? ['a result for a request that was not made']
      : problemsOfResult(method, message.result)
  }

  function settle(message: WireMessage): void {
    const id = message.id ?? null
    const method = methodOfId.get(id)
    if (id !== null && method === undefined)
      violations.push(`a second answer, or one to no request: ${JSON.stringify(message).slice(0, 200)}`)
    methodOfId.delete(id)
    if (method === 'session/new' && message.error === undefined)
      answeredSessions.add((message.result as NewSessionResponse).sessionId)
    const waiting = pending.get(id)
    pending.delete(id)
    if (message.error !== undefined) waiting?.reject(new RpcError(message.error))
    else waiting?.resolve(message.result)
  }

  async function answer(method: string, params: unknown, id: JsonRpcId): Promise<void> {
    const handler = method === 'session/request_permission' ? permission : options.handlers?.[method]
    if (handler === undefined) {
      peer.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
      return
    }
    try {
      const result = await handler(params, id)
      if (result !== neverAnswer) peer.send({ jsonrpc: '2.0', id, result })
    } catch (error) {
      peer.send({ jsonrpc: '2.0', id, error: { code: -32603, message: String(error) } })
    }
  }

  function permission(params: unknown): unknown {
    return options.onPermission === undefined
      ? selectPermission('allow_once')(params)
      : options.onPermission(params as RequestPermissionRequest)
  }

  function write(line: string | Uint8Array): void {
    if (!toAgent.destroyed && !toAgent.writableEnded) toAgent.write(line)
  }

  const peer: AcpPeer = {
    transcript,
    violations,
    sendBytes: write,
    expectAnswer: (id, method) => void methodOfId.set(id, method),
    send(message) {
      const line = JSON.stringify(message)
      const { id, method } = message as WireMessage
      if (method !== undefined && id !== undefined) methodOfId.set(id, method)
      // An editor that names a session's id knows the session.
      const { sessionId } = ((message as WireMessage).params ?? {}) as { sessionId?: unknown }
      if ((method === 'session/load' || method === 'session/resume') && typeof sessionId === 'string')
        answeredSessions.add(sessionId)
      transcript.push({ direction: 'sent', line, message: message as WireMessage })
      write(`${line}\n`)
    },
    request<T>(method: string, params?: unknown, id: JsonRpcId = nextId++) {
      if (ended) return Promise.reject(new Error('the agent closed its output'))
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      pending.set(id, { resolve, reject })
      peer.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
      const answer = within(promise, `the answer to ${method}`) as Promise<T>
      // Not every test awaits every answer.
      answer.catch(() => undefined)
      return answer
    },
    notify(method, params) {
      peer.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) })
    },
    initialize(overrides = {}) {
      const clientCapabilities = options.capabilities ?? {}
      return peer.request('initialize', {
        protocolVersion: 1,
        clientCapabilities,
        clientInfo: { name: 'test', version: '1' },
        ...overrides,
      })
    },
    newSession({ mcpServers = [], ...params }) {
      return peer.request('session/new', { mcpServers, ...params })
    },
    prompt(sessionId, prompt) {
      return peer.request('session/prompt', {
        sessionId,
        prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
      })
    },
    updates(sessionId) {
      return [...(updatesOf.get(sessionId) ?? [])]
    },
    text(sessionId) {
      return peer
        .updates(sessionId)
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join('')
    },
    permissionRequests() {
      return peer
        .received()
        .filter(({ method }) => method === 'session/request_permission')
        .map(({ params }) => params as RequestPermissionRequest)
    },
    received: () => received.slice(),
    waitFor(fits, what = 'a message') {
      const past = received.find(fits)
      if (past !== undefined) return Promise.resolve(past)
      return within(new Promise<WireMessage>((resolve) => waiters.add({ fits, resolve })), what)
    },
    async waitForUpdate<K extends SessionUpdate['sessionUpdate']>(
      sessionId: string,
      kind: K,
      fits: (update: Extract<SessionUpdate, { sessionUpdate: K }>) => boolean = () => true,
    ) {
      const message = await peer.waitFor((candidate) => {
        const params = candidate.params as SessionNotification
        if (
          candidate.method !== 'session/update' ||
          params.sessionId !== sessionId ||
          params.update.sessionUpdate !== kind
        )
          return false
        return fits(params.update as Extract<SessionUpdate, { sessionUpdate: K }>)
      }, `the update ${kind}`)
      return (message.params as SessionNotification).update as Extract<SessionUpdate, { sessionUpdate: K }>
    },
    pauseReading: () => void fromAgent.pause(),
    resumeReading: () => void fromAgent.resume(),
    check() {
      if (violations.length > 0)
        throw new Error(`The agent broke ACP:\n${violations.slice(0, 10).join('\n')}`)
    },
  }
  return peer

  async function within<T>(promise: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const last = transcript
          .slice(-10)
          .map(({ direction, line }) => `  ${direction}: ${line.slice(0, 300)}`)
        reject(new Error(`waited in vain for ${what}; the last messages:\n${last.join('\n')}`))
      }, options.waitMs ?? waitMsMax)
    })
    try {
      return await Promise.race([promise, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Answers a permission request with the option of this kind. */
export function selectPermission(kind: RequestPermissionRequest['options'][number]['kind']) {
  return (params: unknown): RequestPermissionResponse => {
    const option = (params as RequestPermissionRequest).options.find((candidate) => candidate.kind === kind)
    if (option === undefined) throw new Error(`no option of kind ${kind} was offered`)
    return { outcome: { outcome: 'selected', optionId: option.optionId } }
  }
}
