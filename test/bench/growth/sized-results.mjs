// An MCP server whose tool answers with as many characters as it is asked for.
import { createInterface } from 'node:readline'

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'sized', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'text',
        description: 'A text',
        inputSchema: { type: 'object', properties: { chars: { type: 'integer' } } },
      },
    ],
  }),
  'tools/call': ({ arguments: { chars } }) => ({
    content: [{ type: 'text', text: 'a line of text, as in a log\n'.repeat(chars / 28) }],
  }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
}
