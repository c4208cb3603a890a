// The smallest script that speaks ACP: it answers, and does nothing else.
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  const result = method === 'initialize' ? { protocolVersion: 1 } : { sessionId: '1', stopReason: 'end_turn' }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
