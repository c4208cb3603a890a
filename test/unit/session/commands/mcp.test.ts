import { expect, test } from 'vitest'
import type { McpClient, McpStatus } from '../../../../packages/agent-api/src/mcp/mcp-client.ts'
import { parseMcpInput } from '../../../../packages/agent-api/src/session/commands/mcp.ts'

const client = (name: string, state: 'connected' | 'error'): [string, McpClient] => {
  const status: McpStatus =
    state === 'error'
      ? { state, reason: 'no', willRetry: true }
      : { state, server: { name, version: '', protocolVersion: '' }, warnings: [] }
  return [name, { name, status } as McpClient]
}
const clients = new Map([client('files', 'connected'), client('my db', 'error'), client('web', 'error')])
const rejected = [{ server: 'locked', reason: 'its secret is missing' }]

test.each<[string, string, object]>([
  ['nothing', '', { type: 'show' }],
  [
    'reconnect, for all that are not connected',
    'reconnect',
    { type: 'reconnect', clients: [{ name: 'my db' }, { name: 'web' }] },
  ],
  [
    'one by name, also with a space in it',
    ' reconnect  my db ',
    { type: 'reconnect', clients: [{ name: 'my db' }] },
  ],
  ['one that is connected', 'reconnect files', { type: 'reconnect', clients: [{ name: 'files' }] }],
  ['a name that is near', 'reconnect file', { text: "There is no MCP server 'file'. Did you mean `files`?" }],
  [
    'a name that is not',
    'reconnect calendar',
    { text: "There is no MCP server 'calendar'. Servers: files, my db, web." },
  ],
  [
    'one that cannot be tried',
    'reconnect locked',
    { text: "The MCP server 'locked' cannot be connected: its secret is missing" },
  ],
  ['a log', 'log files', { type: 'log', client: { name: 'files' }, level: undefined }],
  [
    'the log of a server whose name has a space',
    'log my db',
    { type: 'log', client: { name: 'my db' }, level: undefined },
  ],
  ['a level', 'log my db debug', { type: 'log', client: { name: 'my db' }, level: 'debug' }],
  ['a level that is near', 'log files debugg', { text: "There is no level 'debugg'. Did you mean `debug`?" }],
  [
    'a level that is not',
    'log files loud',
    { text: expect.stringContaining("There is no level 'loud'. Levels: debug, info") },
  ],
  [
    'the log of a server that is not',
    'log fils',
    { text: "There is no MCP server 'fils'. Did you mean `files`?" },
  ],
  [
    'a word that is near',
    'reconect files',
    { text: 'There is no `/mcp reconect`. Did you mean `reconnect`?' },
  ],
  [
    'a word that is not',
    'restart x',
    {
      text: 'There is no `/mcp restart`. Usage: `/mcp [reconnect [server] | wake server | disable server | enable server | log server [level]]`',
    },
  ],
  ['disable, one by name', 'disable my db', { type: 'disable', client: { name: 'my db' } }],
  ['enable, one by name', 'enable files', { type: 'enable', client: { name: 'files' } }],
  [
    'disable without a name',
    'disable',
    {
      text: 'Name a server. Usage: `/mcp [reconnect [server] | wake server | disable server | enable server | log server [level]]`',
    },
  ],
  [
    'enable with a name that is near',
    'enable file',
    { text: "There is no MCP server 'file'. Did you mean `files`?" },
  ],
])('%s', (_case, input, expected) => {
  expect(parseMcpInput(input, clients, rejected)).toMatchObject(expected)
})

test('there may be nothing to connect', () => {
  expect(parseMcpInput('reconnect', new Map([client('files', 'connected')]))).toMatchObject({
    text: 'All MCP servers are connected.',
  })
  expect(parseMcpInput('reconnect', new Map())).toMatchObject({ text: 'This session has no MCP servers.' })
  expect(parseMcpInput('reconnect x', new Map())).toMatchObject({
    text: "There is no MCP server 'x'. This session has no MCP servers.",
  })
})
