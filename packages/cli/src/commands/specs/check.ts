import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, jsonFlag, stateDirFlag } from './shared-flags.ts'

export const checkCommand = {
  name: 'check',
  summary: 'Say whether an agent file is right, which model is used, and what its servers offer',
  synopsis: ['[options]'],
  about: `Says whether the agent file is right, and which model would be used; it is not asked. The exit code is 0 when the agent would start
and 1 when it would not.`,
  flags: {
    agent: agentFlag('The agent file (default: OSTLER_AGENT, then your own ostler.yaml)'),
    connect: {
      type: 'boolean',
      default: false,
      help: 'Start the servers, show their tools and where each setting came from, and end them again',
    },
    json: jsonFlag,
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
} as const satisfies CommandSpec
