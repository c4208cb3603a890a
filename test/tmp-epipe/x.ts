import { PassThrough } from 'node:stream'
import { startServer } from '@ostler/acp-server'
import { createAgent } from '@ostler/agent-api'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
const model = await startLoopbackModel({ vendor: 'anthropic', script: [{ text: Array.from({length: 50}, (_, i) => `p${i} `), delayMs: 20 }] })
const at = (l: string) => (m: string, f?: unknown) => console.error(l, m, f)
const logger = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
const input = new PassThrough(), output = new PassThrough()
const server = startServer({ input, output, openAgent: async () => createAgent({ model: model.modelId, env: model.env, logger }), logger })
const send = (m: object) => input.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n')
let n = 0
output.setEncoding('utf8').on('data', (s: string) => {
  for (const line of s.split('\n').filter(Boolean)) {
    const m = JSON.parse(line)
    if (m.id === 0) send({ id: 1, method: 'session/new', params: { cwd: '/' } })
    if (m.id === 1) send({ id: 2, method: 'session/prompt', params: { sessionId: m.result.sessionId, prompt: [{ type: 'text', text: 'hi' }] } })
    if (line.includes('agent_message_chunk') && ++n === 5) output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  }
})
send({ id: 0, method: 'initialize', params: { protocolVersion: 1 } })
await server.ended
await model[Symbol.asyncDispose]()
