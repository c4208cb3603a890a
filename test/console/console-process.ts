import { spawn, type ChildProcess } from 'node:child_process'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'
import { startCli } from '../support/run-cli.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** The command `ostler console`, with a browser session opened by the test. */
export interface OpenConsole extends AsyncDisposable {
  /** Its own folder, with settings in `ostler` and state in `state`. */
  readonly home: string
  readonly stateDir: string
  /** The printed URL, with the token. */
  readonly url: string
  readonly origin: string
  readonly port: number
  /** Sent by the page with each request: `Bearer KEY`. */
  readonly authorization: string
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a request as the page would. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends raw bytes over a new connection and returns everything received. */
  raw(request: string): Promise<string>
}

/** The real command, in a process of its own. */
export interface ConsoleProcess extends OpenConsole {
  readonly child: ChildProcess
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- What a test expects of it is what it checks.
  readonly json: any
}

export interface ConsoleOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stateDir?: string
  readonly configDir?: string
  /** No browser has logged in yet: the token is still valid, and nobody has a key. */
  readonly isLeftClosed?: boolean
  /** Allows it to open a browser. */
  readonly opens?: boolean
}

/** Starts the command as a person does. For tests about its signals and its end. */
export async function openConsoleProcess(options: ConsoleOptions = {}): Promise<ConsoleProcess> {
  const { args, env, dir, stateDir } = await prepare(options)
  const child = spawn(process.execPath, [ostlerScript, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...baseEnv, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  const printed = new Promise<void>((resolve) =>
    child.stdout.on('data', () => stdout.includes('\n') && resolve()),
  )
  await Promise.race([printed, exit])
  return {
    child,
    exit,
    ...(await enter(
      { stdout: () => stdout, stderr: () => stderr },
      { ...options, stateDir, home: dir.path },
    )),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exit
      await dir[Symbol.asyncDispose]()
    },
  }
}

/** Runs the command in this process. It starts at once, and its output on stderr is that of the test. */
export async function openConsole(options: ConsoleOptions = {}): Promise<OpenConsole> {
  const { args, env, dir, stateDir } = await prepare(options)
  const printed = Promise.withResolvers<void>()
  const { code, stdout, stderr, listeners } = startCli(args, {
    env: { ...baseEnv, ...env },
    onStdout: () => printed.resolve(),
  })
  await Promise.race([printed.promise, code])
  return {
    ...(await enter({ stdout, stderr }, { ...options, stateDir, home: dir.path })),
    async [Symbol.asyncDispose]() {
      for (const end of listeners) end('SIGTERM')
      await code
      await dir[Symbol.asyncDispose]()
    },
  }
}

async function prepare({ args = [], env = {}, opens = false, ...places }: ConsoleOptions) {
  const dir = await openTempDir()
  const stateDir = places.stateDir ?? join(dir.path, 'state')
  return {
    dir,
    stateDir,
    args: ['console', '--state-dir', stateDir, ...args, ...(opens ? [] : ['--no-open'])],
    env: {
      HOME: dir.path,
      XDG_CONFIG_HOME: places.configDir ?? dir.path,
      OSTLER_SECRET_STORE: 'file',
      ...env,
    },
  }
}

type Streams = Pick<OpenConsole, 'stdout' | 'stderr'>
type Places = Pick<ConsoleOptions, 'isLeftClosed'> & Pick<OpenConsole, 'home' | 'stateDir'>

/** Opens the printed address, as the first browser does. */
async function enter(
  streams: Streams,
  { isLeftClosed = false, home, stateDir }: Places,
): Promise<Omit<OpenConsole, keyof AsyncDisposable>> {
  const url = /http:\S+/.exec(streams.stdout())?.[0]
  if (url === undefined) throw new Error(`the console did not start: ${streams.stderr()}`)
  const { origin, port } = new URL(url)
  const authorization = isLeftClosed ? '' : await enterConsole(url)
  return {
    ...streams,
    home,
    stateDir,
    url,
    origin,
    port: Number(port),
    authorization,
    ask: (method, path, body) => ask(origin, authorization, method, path, body),
    raw: (request) => rawRequest(Number(port), request),
  }
}

/** Opens the printed address like the page, and returns its header. */
export async function enterConsole(url: string): Promise<string> {
  const { origin, searchParams } = new URL(url)
  const { json } = await ask(origin, '', 'POST', '/api/enter', { token: searchParams.get('token') })
  return `Bearer ${json.key}`
}

export async function ask(
  origin: string,
  authorization: string,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = { authorization, ...(method !== 'GET' && { origin }) }
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The storage of a browser that has opened the console's address. */
export function keyOf({ origin, authorization }: Pick<OpenConsole, 'origin' | 'authorization'>) {
  const value = authorization.replace('Bearer ', '')
  return {
    cookies: [],
    origins: value === '' ? [] : [{ origin, localStorage: [{ name: 'ostler.key', value }] }],
  }
}

/** The lines of an NDJSON response. */
export function linesOf({ text }: Answer): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export async function rawRequest(port: number, request: string): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
  // A server that refuses early may close before it has read everything.
  socket.on('error', () => undefined)
  socket.write(request)
  await closed(socket)
  return answer
}

export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

export interface EventReader extends AsyncDisposable {
  /** The next event of this name that matches, among future ones and those not taken yet. */
  next(name: string, isWanted?: (data: never) => boolean): Promise<unknown>
}

/** Reads events like the page. */
export async function openEvents({
  origin,
  authorization,
}: Pick<ConsoleProcess, 'origin' | 'authorization'>): Promise<EventReader> {
  const stop = new AbortController()
  const response = await fetch(`${origin}/api/events`, { headers: { authorization }, signal: stop.signal })
  const events: { name: string; data: unknown }[] = []
  let wake = Promise.withResolvers<void>()
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines.filter(Boolean)) {
        const { event, data } = JSON.parse(line) as { event: string; data: unknown }
        events.push({ name: event, data })
      }
      wake.resolve()
      wake = Promise.withResolvers()
    }
  })().catch(() => undefined)
  return {
    async next(name, isWanted = () => true) {
      for (;;) {
        const index = events.findIndex((event) => event.name === name && isWanted(event.data as never))
        if (index !== -1) return events.splice(0, index + 1).at(-1)?.data
        await wake.promise
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reading
    },
  }
}
