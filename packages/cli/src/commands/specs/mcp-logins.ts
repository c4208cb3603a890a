import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, stateDirFlag } from './shared-flags.ts'

const place = {
  agent: agentFlag('The agent file whose servers are meant too (default: OSTLER_AGENT, then your own ostler.yaml)'),
  'state-dir': stateDirFlag,
  help: helpFlag,
} as const

export const mcpLoginCommand = {
  name: 'mcp login',
  summary: 'Log in to a remote server',
  synopsis: ['NAME [options]', 'URL [options]'],
  about: `Logs in to a remote server with OAuth, in your browser, and keeps the login in the keyring, or encrypted in a file. Agents that run
use it from then on. A server that your editor brings is named by its URL.`,
  flags: {
    'client-id': {
      type: 'string',
      value: 'ID',
      help: 'A client that you have registered there, where programs cannot do so. It is kept for the next time',
      completion: 'nothing',
    },
    'client-secret': { type: 'boolean', default: false, help: 'The client has a secret: it is asked for, unseen' },
    'secret-stdin': { type: 'boolean', default: false, help: 'The client has a secret: it is read from standard input' },
    'callback-port': {
      type: 'string',
      value: 'PORT',
      help: 'Where the browser comes back to, on 127.0.0.1, at /callback (default: a free one)',
      completion: 'nothing',
    },
    scope: { type: 'string', value: 'SCOPES', help: 'What to ask for, in place of what the server says it needs', completion: 'nothing' },
    'no-open': { type: 'boolean', default: false, help: 'Only print the address, and open no browser' },
    ...place,
  },
  words: ['server', 'nothing'],
  more: 'It waits for five minutes. Ctrl-C ends it.',
} as const satisfies CommandSpec

export const mcpLogoutCommand = {
  name: 'mcp logout',
  summary: 'Forget the login to a remote server',
  synopsis: ['NAME [options]', 'URL [options]'],
  about: 'Forgets the login to a remote server, and takes its tokens back where the server lets programs do so.',
  flags: place,
  words: ['server', 'nothing'],
} as const satisfies CommandSpec
