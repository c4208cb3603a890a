import { createAgent } from '@ostler/agent-api'

await using agent = createAgent()
const session = agent.createSession({
  cwd: process.cwd(),
  sessionMcpServers: [
    { type: 'stdio', name: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'], env: {} },
  ],
  approver: { ask: async ({ ref }) => ({ verdict: ref.tool.startsWith('read_') ? 'allow' : 'deny', scope: 'once' }) },
})
for await (const event of session.prompt([{ type: 'text', text: 'Read the text file package.json' }])) {
  if (event.type === 'text') process.stdout.write(event.text)
}
