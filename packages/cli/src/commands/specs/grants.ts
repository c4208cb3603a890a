import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, jsonFlag, stateDirFlag } from './shared-flags.ts'

export const grantsCommand = {
  name: 'grants',
  summary: 'Show and revoke what you have always allowed or rejected',
  synopsis: ['list [--json] [options]', 'revoke ID... [options]', 'revoke --all [options]'],
  about: 'Shows and revokes the answers that were given for always. Running agents see it at once.',
  flags: {
    agent: agentFlag('The agent file whose grants are meant (default: OSTLER_AGENT, then your own ostler.yaml)'),
    'state-dir': stateDirFlag,
    json: jsonFlag,
    all: { type: 'boolean', default: false, help: 'Revoke all of them' },
    help: helpFlag,
  },
  words: [['list', 'revoke'], 'nothing'],
} as const satisfies CommandSpec
