import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, stateDirFlag } from './shared-flags.ts'

export const consoleCommand = {
  name: 'console',
  summary: 'Open the web console: servers, tools, calls and sessions',
  synopsis: ['[options]'],
  about:
    'Serves the web console on this machine and opens it in the browser, until it is ended with Ctrl-C. The address that is printed opens it once;\nagents that run meanwhile are not touched.',
  flags: {
    port: { type: 'string', value: 'N', help: 'The port (default: any that is free)', completion: 'nothing' },
    'no-open': { type: 'boolean', default: false, help: 'Only print the address' },
    agent: agentFlag('The agent file (default: OSTLER_AGENT, then your own ostler.yaml)'),
    'state-dir': stateDirFlag,
    host: {
      type: 'string',
      value: 'ADDRESS',
      help: 'The address to listen on (default: 127.0.0.1)',
      completion: 'nothing',
    },
    'dangerously-allow-remote': {
      type: 'boolean',
      default: false,
      help: 'Let --host be an address that other machines can reach. The connection is not encrypted:\nwhoever can read it can run commands on this machine, as you',
    },
    help: helpFlag,
  },
} as const satisfies CommandSpec
