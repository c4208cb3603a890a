import { agentFlag, jsonFlag, stateDirFlag, type Flags } from '../../command-line/command.ts'

export const placeFlags = {
  agent: agentFlag(
    'The agent file whose servers are also included (default: OSTLER_AGENT, then your own ostler.yaml)',
  ),
  'state-dir': stateDirFlag,
} as const satisfies Flags

export const serverFlags = { json: jsonFlag, ...placeFlags } as const satisfies Flags
