// The smallest script that speaks ACP. It answers, and does nothing else; a prompt that is a number gets as many chunks of text.
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const chunks = method === 'session/prompt' ? Number(params.prompt[0].text) : 0
  for (let index = 0; index < chunks; index++) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `word${index} ` } }
    send({ method: 'session/update', params: { sessionId: '1', update } })
  }
  send({
    id,
    result: method === 'initialize' ? { protocolVersion: 1 } : { sessionId: '1', stopReason: 'end_turn' },
  })
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
