import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: unknown
}

export interface Params {
  readonly [name: string]: unknown
}

/** A minimal client, because the agent is what is measured. It allows every call, once, and offers nothing else. */
export interface LineClient extends AsyncDisposable {
  readonly process: ChildProcess
  /** Rejects if the agent has ended, or does not answer in time. */
  request(method: string, params: Params): Promise<Params>
  onUpdate: (update: Params) => void
  onQuestion: () => void
}

/** The texts by which a failed request can be told from an error of the agent. */
export const failures = { ended: 'the process has ended', late: 'no answer within' }

export interface LineOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The file for the error output, which is otherwise that of this process. */
  readonly stderr?: number
  /** The time that a request may take. Unlimited by default. */
  readonly limitMs?: number
}

export function startLineClient(
  command: string,
  args: readonly string[],
  { env = process.env, cwd, stderr, limitMs }: LineOptions = {},
): LineClient {
  // A group of its own can be ended whole.
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', stderr ?? 'inherit'],
    env,
    cwd,
    detached: true,
  })
  const waiting = new Map<number | string, (message: Message) => void>()
  let nextId = 1
  let rest = ''
  let ended: string | undefined

  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{')) take(JSON.parse(line) as Message)
  })
  child.on('error', (error) => end(error.message))
  child.on('exit', (code, signal) => end(`${failures.ended} with ${signal ?? code}`))
  // The end is reported by the process itself.
  child.stdin?.on('error', () => {})

  function end(reason: string): void {
    ended ??= reason
    for (const answer of waiting.values()) answer({ error: ended })
  }

  function take({ id, method, ...message }: Message): void {
    if (method === undefined) waiting.get(id ?? -1)?.(message)
    else if (id === undefined) client.onUpdate((message.params?.['update'] ?? {}) as Params)
    else if (method === 'session/request_permission') {
      client.onQuestion()
      send({ id, result: { outcome: { outcome: 'selected', optionId: onceOption(message.params) } } })
    } else send({ id, error: { code: -32601, message: 'Method not found' } })
  }

  function send(message: object): void {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  const client: LineClient = {
    process: child,
    onUpdate: () => {},
    onQuestion: () => {},
    async request(method, params) {
      if (ended !== undefined) throw new Error(`${method}: ${ended}`)
      const id = nextId++
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve))
      const giveUp = () => waiting.get(id)?.({ error: `${failures.late} ${Number(limitMs) / 1_000} s` })
      const limit = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
      send({ id, method, params })
      const { result, error } = await answer
      clearTimeout(limit)
      waiting.delete(id)
      if (error !== undefined) throw new Error(`${method}: ${toText(error)}`)
      return result ?? {}
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end()
      if (ended === undefined) await once(child, 'exit')
    },
  }
  return client
}

function toText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error)
}

function onceOption(params: Params | undefined): unknown {
  const options = (params?.['options'] ?? []) as { optionId: string; kind?: string }[]
  return (options.find(({ kind }) => kind === 'allow_once') ?? options[0])?.optionId
}
