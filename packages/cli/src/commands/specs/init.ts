import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag } from './shared-flags.ts'

export const initCommand = {
  name: 'init',
  summary: 'Write an agent file to start from',
  synopsis: ['[options]'],
  about: 'Writes an agent file with commented examples, and beside it the schema with which editors complete and check it.',
  flags: {
    agent: agentFlag('Where to write it (default: $XDG_CONFIG_HOME/ostler/ostler.yaml or ~/.config/ostler/ostler.yaml)'),
    force: { type: 'boolean', default: false, help: 'Replace a file that is there' },
    help: helpFlag,
  },
} as const satisfies CommandSpec
