import type { Flags } from '../../command-line/command.ts'
import { agentFlag, jsonFlag, stateDirFlag } from '../../command-line/shared-flags.ts'

/** Flags for the location of the servers. */
export const placeFlags = {
  agent: agentFlag(
    'The agent file whose servers are also included (default: OSTLER_AGENT, then your own ostler.yaml)',
  ),
  'state-dir': stateDirFlag,
} as const satisfies Flags

/** Flags of most commands about servers. */
export const serverFlags = { json: jsonFlag, ...placeFlags } as const satisfies Flags

/** The fields of a server, for adding and updating it. */
export const fieldFlags = {
  env: {
    type: 'string',
    short: 'e',
    multiple: true,
    value: 'NAME[=VALUE]',
    help: 'An environment variable; without a value, the one set where the agent starts',
  },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    value: "'NAME: VALUE'",
    help: 'A header for every request',
  },
  secret: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'Treat this variable or header as secret. Prompts for a missing value',
  },
  'secret-stdin': {
    type: 'boolean',
    default: false,
    help: 'Read prompted values from standard input, one per line',
  },
  'auth-bearer': {
    type: 'string',
    value: 'TOKEN',
    help: 'Authenticate with a bearer token; - prompts for it',
  },
  'auth-api-key': { type: 'string', value: 'KEY', help: 'Authenticate with an API key; - prompts for it' },
  'auth-header': { type: 'string', value: 'NAME', help: 'The header of the key (x-api-key)' },
  'auth-basic': {
    type: 'string',
    value: 'USER[:PASSWORD]',
    help: 'Authenticate with a user name and a password; prompts for a missing password',
  },
  'auth-client': {
    type: 'string',
    value: 'ID[:SECRET]',
    help: 'Authenticate as a program with OAuth (client credentials); prompts for a missing secret. Needs --auth-issuer',
  },
  'auth-issuer': {
    type: 'string',
    value: 'URL',
    help: 'The authorization server that may receive the credentials of the client',
  },
  cwd: {
    type: 'string',
    value: 'DIR',
    help: 'The folder in which its command starts (default: the home directory)',
    completion: 'directory',
  },
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
    help: 'dynamic (default): all its tools. strict: only tools in toolbox.tools',
    completion: ['dynamic', 'strict'],
  },
  description: { type: 'string', value: 'TEXT', help: 'A description' },
  timeout: { type: 'string', value: 'DURATION', help: 'The timeout for connecting: 30s, PT1M' },
  set: {
    type: 'string',
    multiple: true,
    value: 'FIELD=VALUE',
    help: 'Any other field of the agent file: include=agent, defaultToolConfig.timeout=1m',
  },
} as const satisfies Flags
