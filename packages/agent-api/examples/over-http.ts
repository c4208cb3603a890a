import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAgent, type Answer, type ApprovalQuestion, type Person } from '@ostler/agent-api'

// POST /prompt streams one JSON event a line. A line of type `question` waits for POST /answer with `yes` or `no`.
const token = randomBytes(32).toString('base64url')
let stream: ServerResponse | undefined
let answer: ((answer: Answer) => void) | undefined
const send = (event: object) => stream?.write(`${JSON.stringify(event)}\n`)

const person: Person = {
  ask({ call }: ApprovalQuestion, signal) {
    send({ type: 'question', title: call.title, input: call.rawInput })
    return new Promise((resolve) => {
      answer = resolve
      signal.addEventListener('abort', () => resolve({ verdict: 'cancelled' }))
    })
  },
}

await using agent = createAgent()
const session = agent.createSession({ cwd: process.cwd(), person })

async function answerPrompt(prompt: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  stream = response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for await (const event of session.prompt([{ type: 'text', text: prompt }], { signal: gone.signal }))
    send(event)
  stream = undefined
  response.end()
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Without the token, any page in a browser on this machine could send prompts.
  if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
  const body = await text(request)
  if (request.url === '/prompt' && stream === undefined) return await answerPrompt(body, response)
  if (request.url === '/answer') answer?.({ verdict: body === 'yes' ? 'allow' : 'deny', scope: 'once' })
  response.writeHead(request.url === '/answer' ? 204 : 409).end()
}

const server = createServer(
  (request, response) => void handle(request, response).catch((error: Error) => response.destroy(error)),
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port} ${token}`)
await once(process, 'SIGTERM')
server.close()
server.closeAllConnections()
