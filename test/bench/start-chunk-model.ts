import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loopbackKey } from '../support/loopback-model/index.ts'

/** Sends the text of one answer, chunk by chunk. */
export type SendChunks = (send: (text: string) => void) => void | Promise<void>

export interface ChunkModel extends AsyncDisposable {
  readonly modelId: string
  readonly env: Readonly<Record<string, string>>
}

/** A model that does as little as possible, because the agent is what is measured. It speaks OpenAI's format, and sends each chunk at once. */
export async function startChunkModel(answer: SendChunks): Promise<ChunkModel> {
  const server = createServer((request, response) => void reply(request, response, answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    modelId: 'openai/gpt-4.1',
    env: { OPENAI_API_KEY: loopbackKey, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function reply(request: IncomingMessage, response: ServerResponse, answer: SendChunks): Promise<void> {
  await request.resume().toArray()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, end: 'stop' | null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`)
  await answer((content) => send({ content }, null))
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}
