import { agentFlag, stateDirFlag, switchFlag, textFlag, type FlagSpec } from '../../command-line/command.ts'

export const approvals = ['ask', 'trusted', 'fenced', 'auto', 'none'] as const
export type Approval = (typeof approvals)[number]

export const sessionFlags = {
  agent: agentFlag(),
  model: textFlag('ID', 'The model, as provider/model, or "offline"', { completion: ['offline'] }),
  'mcp-config': textFlag('FILE', 'Also connect the MCP servers of this file: {"mcpServers": {...}}', {
    multiple: true,
    completion: 'file',
  }),
  approve: textFlag(
    'HOW',
    'ask: ask before every call that does more than read\ntrusted: do not ask for the trusted tools of the agent file\nfenced: do not ask for edits, and for commands in a sandbox\nauto: do not ask; only secrets and other folders are still asked about\nnone: only read; reject everything else\n(default: the mode of the agent file)',
    { completion: approvals },
  ),
  continue: { ...switchFlag('Continue the last session of this folder'), short: 'c' },
  session: textFlag('ID', 'Continue this session; a prefix of its ID is enough', { completion: 'session' }),
  'max-steps': textFlag('N', 'The maximum number of requests to the model per prompt'),
  'state-dir': stateDirFlag,
} as const satisfies Readonly<Record<string, FlagSpec>>
