import { createAgent, type McpServerConfig } from '@ostler/agent-api'

const npx = (name: string, ...args: string[]): McpServerConfig => ({
  type: 'stdio',
  name,
  command: 'npx',
  args: ['-y', ...args],
  env: {},
})

await using agent = createAgent({ mode: 'trusted-only', trustedTools: ['files:list_directory'] })
const session = agent.createSession({
  cwd: process.cwd(),
  sessionMcpServers: [npx('files', '@modelcontextprotocol/server-filesystem', '.')],
})
// Servers may also come and go while the session is open.
session.addSessionMcpServer(npx('memory', '@modelcontextprotocol/server-memory'))
session.addSessionMcpServer({
  type: 'http',
  name: 'nowhere',
  url: 'http://127.0.0.1:9/mcp',
  headers: {},
  retryAttempts: 0,
})
await session.serversSettled

const { connected, failed } = session.serverReport()
for (const { server, tools } of connected) console.error(`${server} has ${tools} tools`)
for (const { server, reason } of failed) console.error(`${server} failed: ${reason}`)

for await (const event of session.prompt([
  { type: 'text', text: 'List the files here, with the server "files".' },
])) {
  if (event.type === 'text') process.stdout.write(event.text)
}
await session.removeSessionMcpServer('memory')
console.error(`Left: ${[...session.getSessionMcpClients().keys()].join(', ')}`)
