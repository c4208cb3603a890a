import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, jsonFlag, stateDirFlag, yesFlag } from './shared-flags.ts'

const place = {
  agent: agentFlag('The agent file whose servers are meant too (default: OSTLER_AGENT, then your own ostler.yaml)'),
  'state-dir': stateDirFlag,
  help: helpFlag,
} as const

/** What a server can be given, when it is added and later. */
const fields = {
  env: {
    type: 'string',
    short: 'e',
    multiple: true,
    value: 'NAME[=VALUE]',
    help: 'A variable for its command; without a value the one that is set where the agent starts',
    completion: 'nothing',
  },
  header: { type: 'string', short: 'H', multiple: true, value: "'NAME: VALUE'", help: 'A header for every request', completion: 'nothing' },
  secret: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'This variable or header is secret. Without a value it is asked for, unseen',
    completion: 'nothing',
  },
  'secret-stdin': { type: 'boolean', default: false, help: 'Read what would be asked for from standard input, one line each' },
  'auth-bearer': { type: 'string', value: 'TOKEN', help: 'Send it as a bearer token; - asks for it', completion: 'nothing' },
  'auth-api-key': { type: 'string', value: 'KEY', help: 'Send it as a key; - asks for it', completion: 'nothing' },
  'auth-header': { type: 'string', value: 'NAME', help: 'The header of the key (x-api-key)', completion: 'nothing' },
  'auth-basic': {
    type: 'string',
    value: 'USER[:PASSWORD]',
    help: 'Send a name and a password; without one it is asked for',
    completion: 'nothing',
  },
  cwd: { type: 'string', value: 'DIR', help: 'Where its command starts', completion: 'directory' },
  transport: {
    type: 'string',
    short: 't',
    value: 'KIND',
    help: 'stdio, http or sse (default: http for a URL, stdio for a command)',
    completion: ['stdio', 'http', 'sse'],
  },
  mode: {
    type: 'string',
    value: 'MODE',
    help: 'dynamic (default): all its tools. strict: only those in toolbox.tools',
    completion: ['dynamic', 'strict'],
  },
  description: { type: 'string', value: 'TEXT', help: 'What it is for', completion: 'nothing' },
  timeout: { type: 'string', value: 'DURATION', help: 'How long connecting may take: 30s, PT1M', completion: 'nothing' },
  set: {
    type: 'string',
    multiple: true,
    value: 'FIELD=VALUE',
    help: 'Any other field of the agent file: include=agent, defaultToolConfig.timeout=1m',
    completion: 'nothing',
  },
} as const

export const mcpListCommand = {
  name: 'mcp list',
  summary: 'List the servers of the agent file and the stored ones',
  synopsis: ['[options]'],
  about: 'Lists the servers that stand in the agent file, and those that are stored. Nothing is started.',
  flags: { json: jsonFlag, ...place },
} as const satisfies CommandSpec

export const mcpGetCommand = {
  name: 'mcp get',
  summary: 'Show all that is known of one server',
  synopsis: ['NAME [options]'],
  about: 'Shows all that is known of one server, but for its secrets. Nothing is started.',
  flags: { json: jsonFlag, ...place },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec

export const mcpAddCommand = {
  name: 'mcp add',
  summary: 'Store a server',
  synopsis: ['NAME [options] -- COMMAND [ARG...]', 'NAME URL [options]'],
  about: 'Stores a server for this and every later session. Secrets go to the keyring, or encrypted to a file. Nothing is started.',
  flags: {
    ...fields,
    disabled: { type: 'boolean', default: false, help: 'Store it, but do not let agents connect it yet' },
    json: jsonFlag,
    ...place,
  },
  words: ['nothing'],
  more: `Examples:
  ostler mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  ostler mcp add github --secret GITHUB_TOKEN -- docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server
  ostler mcp add docs https://mcp.example.com/mcp --auth-bearer -`,
} as const satisfies CommandSpec

export const mcpAddJsonCommand = {
  name: 'mcp add-json',
  summary: 'Store a server that is written as JSON',
  synopsis: ['NAME JSON [options]'],
  about: `Stores a server that is written as an entry of mcpServers: { "command", "args", "env" } or { "url", "headers" }, and whatever else the
agent file may say of it. JSON may be - for standard input. Nothing is started.`,
  flags: { json: jsonFlag, ...place },
  words: ['nothing'],
} as const satisfies CommandSpec

export const mcpUpdateCommand = {
  name: 'mcp update',
  summary: 'Change single fields of a stored server',
  synopsis: ['NAME [options] [-- COMMAND [ARG...]]'],
  about: `Changes what is named and leaves the rest. Variables and headers are added to those that are there. Where a command becomes a URL, or the
other way round, what only the other can have goes: it is shown, and asked about.`,
  flags: {
    name: { type: 'string', value: 'NAME', help: 'Another name', completion: 'nothing' },
    url: { type: 'string', value: 'URL', help: 'Another address', completion: 'nothing' },
    ...fields,
    unset: {
      type: 'string',
      multiple: true,
      value: 'FIELD',
      help: 'Take one away: description, env.NAME, headers.NAME, auth',
      completion: 'nothing',
    },
    yes: { ...yesFlag, help: 'Do not ask before a command becomes a URL, or the other way round' },
    json: jsonFlag,
    ...place,
  },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec

export const mcpRemoveCommand = {
  name: 'mcp remove',
  summary: 'Remove stored servers, with their secrets',
  synopsis: ['NAME... [options]'],
  about: 'Removes stored servers, with their secrets.',
  flags: place,
  words: ['server'],
} as const satisfies CommandSpec

export const mcpEnableCommand = {
  name: 'mcp enable',
  summary: 'Let agents connect stored servers',
  synopsis: ['NAME... [options]'],
  about: 'Lets agents connect stored servers: those that start from now on.',
  flags: place,
  words: ['server'],
} as const satisfies CommandSpec

export const mcpDisableCommand = {
  name: 'mcp disable',
  summary: 'Keep stored servers, without connecting them',
  synopsis: ['NAME... [options]'],
  about: 'Keeps stored servers, but lets no agent connect them that starts from now on.',
  flags: place,
  words: ['server'],
} as const satisfies CommandSpec

export const mcpImportCommand = {
  name: 'mcp import',
  summary: "Take over other programs' servers",
  synopsis: ['FILE [options]', '--from <zed|claude-desktop|claude-code|cursor|vscode> [options]'],
  about: `Reads the servers of another program's settings, shows what would be stored, and asks. Nothing is started.
FILE may be - for standard input.`,
  flags: {
    from: {
      type: 'string',
      value: 'PROGRAM',
      help: 'Look where this program keeps them: zed, claude-desktop, claude-code, cursor or vscode',
      completion: ['zed', 'claude-desktop', 'claude-code', 'cursor', 'vscode'],
    },
    format: {
      type: 'string',
      value: 'FORMAT',
      help: 'What FILE is: mcpServers, vscode or zed (default: what it looks like)',
      completion: ['mcpServers', 'vscode', 'zed'],
    },
    only: { type: 'string', multiple: true, value: 'NAME', help: 'Only this server', completion: 'nothing' },
    yes: yesFlag,
    json: { type: 'boolean', default: false, help: 'Print what would be stored, for programs, and store nothing; with --yes store it too' },
    ...place,
  },
  words: ['file', 'nothing'],
} as const satisfies CommandSpec

export const mcpExportCommand = {
  name: 'mcp export',
  summary: 'Print the servers for another program or an agent file',
  synopsis: ['[NAME...] [options]'],
  about: 'Prints servers as JSON, all of them or those that are named. A secret is printed as ${NAME}, to be set in the environment.',
  flags: {
    format: {
      type: 'string',
      default: 'mcpServers',
      value: 'FORMAT',
      help: 'mcpServers (default), as most programs read it, or ostler, for an agent file',
      completion: ['mcpServers', 'ostler'],
    },
    'with-secrets': { type: 'boolean', default: false, help: 'Print secrets as they are' },
    ...place,
  },
  words: ['server'],
} as const satisfies CommandSpec
