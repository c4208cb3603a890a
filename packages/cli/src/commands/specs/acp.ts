import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, stateDirFlag } from './shared-flags.ts'

export const acpCommand = {
  name: 'acp',
  summary: 'Serve an editor: speak ACP on standard input and output',
  synopsis: ['[options]'],
  about: 'Speaks the Agent Client Protocol on standard input and output. Editors start this command themselves.',
  flags: {
    agent: agentFlag('The agent file: model, prompt, MCP servers, limits, approvals\n(default: OSTLER_AGENT, then your own ostler.yaml)'),
    model: {
      type: 'string',
      value: 'ID',
      help: 'The model, as provider/model, or "offline"\n(default: OSTLER_MODEL, then the agent file, then the first vendor with a key)',
      completion: ['offline'],
    },
    'state-dir': stateDirFlag,
    'log-level': {
      type: 'string',
      default: 'warn',
      value: 'LEVEL',
      help: 'error, warn (default), info or debug',
      completion: ['error', 'warn', 'info', 'debug'],
    },
    'log-file': { type: 'string', value: 'FILE', help: 'Write the log to this file as well', completion: 'file' },
    help: helpFlag,
  },
} as const satisfies CommandSpec
