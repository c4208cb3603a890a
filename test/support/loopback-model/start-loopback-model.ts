import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelRequest, Reply, Script } from './script.ts'
import { toSse, type Frame, type Wire } from './wire.ts'
import { anthropicWire } from './wires/anthropic.ts'
import { googleWire } from './wires/google.ts'
import { openaiChatWire } from './wires/openai-chat.ts'
import { openaiResponsesWire } from './wires/openai-responses.ts'

/** `openai` uses chat completions through `OPENAI_BASE_URL`. `ollama` uses the same format, without a key. */
export type LoopbackVendor = 'anthropic' | 'openai' | 'openai-responses' | 'google' | 'ollama'

/** The key in `env`. Tests check that it does not leak. */
export const loopbackKey = 'sk-loopback-canary-0123456789'

export interface LoopbackModel extends AsyncDisposable {
  /** The model id to request from Ostler. */
  readonly modelId: string
  /** Points Ostler, or a whole process, at this server. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  /** All requests so far, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** Settles after this many requests. */
  waitForRequests(count: number): Promise<void>
  /** Settles when the client has disconnected from an unfinished answer. */
  waitForDisconnect(): Promise<void>
}

export interface LoopbackOptions {
  readonly vendor: LoopbackVendor
  readonly script: Script
  /** Answers other requests, such as for the list of models. Undefined for a path that does not exist. */
  readonly serve?: (request: SideRequest) => SideReply | undefined
}

export interface SideRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface SideReply {
  /** Sent as JSON. A string is sent unchanged. */
  readonly body: unknown
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Never answers. */
  readonly hangs?: boolean
}

/** A scripted model over HTTP, in a vendor's own streaming format. */
export async function startLoopbackModel(options: LoopbackOptions): Promise<LoopbackModel> {
  const { wire, modelId, env } = vendors[options.vendor]
  const requests: Recorded[] = []
  const waiting = new Set<() => void>()
  const changed = () => {
    for (const check of waiting) check()
  }
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isTrue()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })

  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch((error: unknown) => {
      // A mistake in a script must be reported as such, not as a model that is retried.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(wire.errorBody(400, `loopback script: ${String(error)}`)))
    })
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://loopback')
    const text = await readAll(incoming)
    const served = wire.accepts(path)
      ? undefined
      : options.serve?.({ path, query, headers: plainHeaders(incoming), body: text })
    if (served !== undefined) {
      if (served.hangs) return
      response.writeHead(served.status ?? 200, { 'content-type': 'application/json', ...served.headers })
      response.end(typeof served.body === 'string' ? served.body : JSON.stringify(served.body))
      return
    }
    if (!wire.accepts(path)) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(wire.errorBody(404, `no route: ${incoming.method} ${path}`)))
      return
    }
    const body: unknown = JSON.parse(text)
    const request: Recorded = {
      ...wire.decode(body, path),
      body,
      headers: plainHeaders(incoming),
      path,
      disconnected: false,
      sentBytes: 0,
    }
    const index = requests.push(request) - 1
    response.on('close', () => {
      request.disconnected = !response.writableFinished && !droppedByScript.has(response)
      changed()
    })
    changed()
    const write = response.write.bind(response)
    response.write = (chunk: string) => {
      request.sentBytes += Buffer.byteLength(chunk)
      return write(chunk)
    }
    await send(response, wire, await nextReply(options.script, request, index), request.model)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    modelId,
    env: env(url),
    url,
    requests,
    waitForRequests: (count) => until(() => requests.length >= count),
    waitForDisconnect: () => until(() => requests.some((request) => request.disconnected)),
    async [Symbol.asyncDispose]() {
      const closed = server.listening ? once(server, 'close') : Promise.resolve()
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

interface Recorded extends ModelRequest {
  disconnected: boolean
  sentBytes: number
}

/** Responses that the script ended early, not the client. */
const droppedByScript = new WeakSet<ServerResponse>()

const vendors: Record<
  LoopbackVendor,
  { wire: Wire; modelId: string; env: (url: string) => Record<string, string> }
> = {
  anthropic: {
    wire: anthropicWire,
    modelId: 'anthropic/claude-sonnet-4-5',
    env: (url) => ({ ANTHROPIC_API_KEY: loopbackKey, ANTHROPIC_BASE_URL: url }),
  },
  openai: {
    wire: openaiChatWire,
    modelId: 'openai/gpt-4.1',
    env: (url) => ({ OPENAI_API_KEY: loopbackKey, OPENAI_BASE_URL: `${url}/v1` }),
  },
  'openai-responses': {
    wire: openaiResponsesWire,
    modelId: 'openai/gpt-5.4',
    env: (url) => ({
      OPENAI_API_KEY: loopbackKey,
      OPENAI_BASE_URL: `${url}/v1`,
      OSTLER_OPENAI_API: 'responses',
    }),
  },
  google: {
    wire: googleWire,
    modelId: 'google/gemini-3-pro-preview',
    env: (url) => ({ GEMINI_API_KEY: loopbackKey, GOOGLE_GEMINI_BASE_URL: url }),
  },
  ollama: {
    wire: openaiChatWire,
    modelId: 'ollama/qwen3',
    env: (url) => ({ OLLAMA_HOST: url }),
  },
}

async function nextReply(script: Script, request: ModelRequest, index: number): Promise<Reply> {
  if (typeof script === 'function') return script(request, index)
  const reply = script[index]
  if (!reply) throw new Error(`request ${index + 1} came, but only ${script.length} replies were written`)
  return reply
}

async function send(response: ServerResponse, wire: Wire, reply: Reply, model: string): Promise<void> {
  if (reply.dropConnection) return drop(response)
  if (reply.status !== undefined && reply.status !== 200) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(
      JSON.stringify(
        reply.errorBody ?? wire.errorBody(reply.status, reply.errorMessage ?? `scripted ${reply.status}`),
      ),
    )
    return
  }
  if (reply.hang === 'before_headers') return
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...reply.headers,
  })
  response.flushHeaders()

  const frames = wire.encode(reply, model)
  const end = lastFrame(frames, reply)
  const after = reply.pause?.after
  const pauseAfter = typeof after === 'string' ? frames.findIndex(({ kind }) => kind === after) + 1 : after
  for (const [index, frame] of frames.slice(0, end).entries()) {
    if (index === pauseAfter) await reply.pause?.until
    if (reply.delayMs !== undefined) await sleep(reply.delayMs)
    if (response.destroyed) return
    if (!response.write(toSse(frame))) await drained(response)
  }
  if (reply.endless !== undefined) return pour(response, reply.endless, frames)
  if (reply.hang !== undefined) return
  if (reply.cutAfter === undefined) return void response.end()
  const next = frames[end]
  // Gemini sends a call in one piece, so half of its bytes are sent.
  if (
    reply.cutAfter === 'half_tool_call' &&
    next?.kind === 'tool_args' &&
    frames[end - 1]?.kind !== 'tool_args'
  ) {
    const bytes = toSse(next)
    response.write(bytes.slice(0, Math.floor(bytes.length / 2)))
  }
  if (reply.cutBy === 'reset') await dropAfterFlush(response)
  else response.end()
}

/** Delivers everything sent, then closes the connection too early. */
async function dropAfterFlush(response: ServerResponse): Promise<void> {
  droppedByScript.add(response)
  await new Promise((resolve) => response.socket?.write('', resolve) ?? resolve(undefined))
  response.socket?.destroy()
}

async function pour(
  response: ServerResponse,
  endless: NonNullable<Reply['endless']>,
  frames: readonly Frame[],
): Promise<void> {
  const frame = frames.find(({ kind }) => kind === endless)
  const chunk = frame !== undefined ? toSse(frame) : endless === 'lines' ? 'data: x\r\n' : 'x'
  const chunks = chunk.repeat(Math.ceil((64 * 1024) / chunk.length))
  if (endless === 'line') response.write('data: ')
  while (!response.destroyed) if (!response.write(chunks)) await drained(response)
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
  })
}

/** Number of frames before the script cuts or hangs. */
function lastFrame(frames: readonly Frame[], reply: Reply): number {
  if (reply.endless !== undefined)
    return Math.max(1, frames.findIndex(({ kind }) => kind === reply.endless) + 1)
  if (typeof reply.cutAfter === 'number') return reply.cutAfter
  if (reply.cutAfter === 'text' || reply.hang === 'after_text')
    return frames.findLastIndex((frame) => frame.kind === 'text') + 1
  if (reply.cutAfter === 'half_tool_call') {
    const start = frames.findIndex((frame) => frame.kind === 'tool_start')
    return start === -1 ? frames.findIndex((frame) => frame.kind === 'tool_args') : start + 2
  }
  if (reply.hang === 'after_start') return frames.findIndex((frame) => frame.kind !== 'start')
  return frames.length
}

function drop(response: ServerResponse): void {
  droppedByScript.add(response)
  response.socket?.resetAndDestroy()
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function plainHeaders(incoming: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}
