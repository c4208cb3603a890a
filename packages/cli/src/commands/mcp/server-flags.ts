import { agentFlag, jsonFlag, stateDirFlag, type Flags } from '../../command-line/command.ts'

/** Flags for the location of the servers. */
export const placeFlags = {
  agent: agentFlag(
    'The agent file whose servers are also included (default: OSTLER_AGENT, then your own ostler.yaml)',
  ),
  'state-dir': stateDirFlag,
} as const satisfies Flags

/** Flags of most commands about servers. */
export const serverFlags = { json: jsonFlag, ...placeFlags } as const satisfies Flags
