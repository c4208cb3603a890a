import { agentFlag, stateDirFlag, type FlagSpec } from '../../command-line/command.ts'

export const approvals = ['ask', 'trusted', 'auto', 'none'] as const
export type Approval = (typeof approvals)[number]

export const sessionFlags = {
  agent: agentFlag('The agent file (default: OSTLER_AGENT, then your own ostler.yaml)'),
  model: {
    type: 'string',
    value: 'ID',
    help: 'The model, as provider/model, or "offline"',
    completion: ['offline'],
  },
  'mcp-config': {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'Also connect the MCP servers of this file: {"mcpServers": {...}}',
    completion: 'file',
  },
  approve: {
    type: 'string',
    value: 'HOW',
    help: 'ask: ask before every call that does more than read\ntrusted: do not ask for the trusted tools of the agent file\nauto: do not ask; only secrets and other folders are still asked about\nnone: only read; reject everything else\n(default: the mode of the agent file)',
    completion: approvals,
  },
  continue: { type: 'boolean', short: 'c', default: false, help: 'Continue the last session of this folder' },
  session: {
    type: 'string',
    value: 'ID',
    help: 'Continue this session; a prefix of its ID is enough',
    completion: 'session',
  },
  'max-steps': { type: 'string', value: 'N', help: 'The maximum number of requests to the model per prompt' },
  'state-dir': stateDirFlag,
} as const satisfies Readonly<Record<string, FlagSpec>>
