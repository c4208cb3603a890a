import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: unknown
}

export interface Params {
  readonly [name: string]: unknown
}

/** A minimal client, because the agent is what is measured. It allows every call. */
export interface LineClient extends AsyncDisposable {
  readonly process: ChildProcess
  request(method: string, params: Params): Promise<Params>
  onUpdate: (update: Params) => void
}

export function startLineClient(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): LineClient {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env })
  const waiting = new Map<number, (message: Message) => void>()
  let nextId = 1
  let rest = ''

  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(JSON.parse(line) as Message)
  })
  child.on('exit', () => {
    for (const answer of waiting.values()) answer({ error: 'the process has ended' })
  })

  function take(message: Message): void {
    if (message.method === undefined) waiting.get(message.id ?? -1)?.(message)
    else if (message.id === undefined) client.onUpdate((message.params?.['update'] ?? {}) as Params)
    else
      send({
        id: message.id,
        result: { outcome: { outcome: 'selected', optionId: firstOption(message.params) } },
      })
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  const client: LineClient = {
    process: child,
    onUpdate: () => {},
    async request(method, params) {
      const id = nextId++
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve))
      send({ id, method, params })
      const { result, error } = await answer
      waiting.delete(id)
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
      return result ?? {}
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
  return client
}

function firstOption(params: Params | undefined): unknown {
  return (params?.['options'] as { optionId: string }[] | undefined)?.[0]?.optionId
}
