import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** By then, every timer that a new session sets has run, so each build finds the same functions. */
const timersMs = 300

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: object
}

/**
 * Starts the command as an editor does, and sends a first prompt, for which the model calls a tool of a new server. Node writes to the folder
 * what ran.
 */
export async function rehearse(command: string, folder: string): Promise<void> {
  const model = createServer(
    (request, response) => void answer(request).then((chunks) => response.end(chunks)),
  )
  await once(model.listen(0, '127.0.0.1'), 'listening')
  const { port } = model.address() as AddressInfo
  const child = spawn(
    process.execPath,
    [command, 'acp', '--model', 'openai/rehearsal', '--state-dir', join(folder, 'state')],
    {
      env: {
        HOME: folder,
        NODE_V8_COVERAGE: folder,
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const server = { name: 'server', command: process.execPath, args: ['-e', serverCode], env: [] }
  send({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } })
  send({ id: 1, method: 'session/new', params: { cwd: folder, mcpServers: [server] } })
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, method, result } = JSON.parse(line) as Message
    if (method === 'session/request_permission')
      send({ id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } })
    if (method !== undefined) continue
    if (id === 1)
      send({
        id: 2,
        method: 'session/prompt',
        params: { ...result, prompt: [{ type: 'text', text: 'call the tool' }] },
      })
    if (id === 2) setTimeout(() => child.stdin.end(), timersMs)
  }
  if (child.exitCode === null) await once(child, 'exit')
  model.close()
  if (child.exitCode !== 0) throw new Error('The built command does not answer a prompt.')
}

/** Calls the tool, and then says what it returned. */
async function answer(request: IncomingMessage): Promise<string> {
  const body = JSON.parse((await text(request)) || '{}') as { messages?: readonly { role: string }[] }
  const call = { index: 0, id: 'call', type: 'function', function: { name: 'server__tool', arguments: '{}' } }
  const isCalled = body.messages?.at(-1)?.role === 'tool'
  const delta = isCalled ? { content: 'done' } : { tool_calls: [call] }
  const choices = [{ index: 0, delta, finish_reason: isCalled ? 'stop' : 'tool_calls' }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, choices })}\n\ndata: [DONE]\n\n`
}

/** An MCP server with one tool. */
const serverCode = `
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'server', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const result = answers[method]?.(params)
    const rest = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n')
  })`
