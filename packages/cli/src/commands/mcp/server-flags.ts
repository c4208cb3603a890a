import type { Flags } from '../../command-line/command.ts'
import { agentFlag, stateDirFlag } from '../../command-line/shared-flags.ts'

/** Flags for the location of the servers. */
export const placeFlags = {
  agent: agentFlag('The agent file whose servers are meant too (default: OSTLER_AGENT, then your own ostler.yaml)'),
  'state-dir': stateDirFlag,
} as const satisfies Flags

/** The fields of a server, for adding and updating it. */
export const fieldFlags = {
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
} as const satisfies Flags
