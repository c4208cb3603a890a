import { createAgent } from '@ostler/agent-api'

await using agent = createAgent({
  mode: 'trusted-only',
  trustedTools: ['files:read_text_file'],
  // The first start of an npx server may download it.
  connectWaitMs: 60_000,
})
const session = agent.createSession({
  cwd: process.cwd(),
  sessionMcpServers: [
    {
      type: 'stdio',
      name: 'files',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
      env: {},
    },
  ],
  person: {
    async ask(question) {
      const plan = question.kind === 'call' ? question.plan : undefined
      const risks = [...(plan?.outside ?? []), ...(plan?.sensitive ?? [])]
      const isHarmless = plan?.effect === 'read' && risks.length === 0
      return { verdict: isHarmless ? 'allow' : 'deny', scope: 'once' }
    },
  },
})
for await (const event of session.prompt([{ type: 'text', text: 'Read the text file package.json' }])) {
  if (event.type === 'text') process.stdout.write(event.text)
}
