import { createAgent } from '@ostler/agent-api'

await using agent = createAgent({ mode: 'trusted-only', trustedTools: ['files:read_text_file'] })
const session = agent.createSession({
  cwd: process.cwd(),
  sessionMcpServers: [
    { type: 'stdio', name: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'], env: {} },
  ],
  approver: {
    async ask({ plan: { effect, outside = [], sensitive = [] } = {} }) {
      const isHarmless = effect === 'read' && outside.length === 0 && sensitive.length === 0
      return { verdict: isHarmless ? 'allow' : 'deny', scope: 'once' }
    },
  },
})
for await (const event of session.prompt([{ type: 'text', text: 'Read the text file package.json' }])) {
  if (event.type === 'text') process.stdout.write(event.text)
}
