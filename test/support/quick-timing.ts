import type { Timing } from '../../packages/agent-api/src/base/timing.ts'

/** Waits of milliseconds, for tests that are not about their real length. */
export const quickTiming = {
  inputClosedMs: 200,
  terminatedMs: 200,
  escapeeMs: 100,
  quickRetriesMs: [50, 100, 200, 400, 800],
  listChangedMs: 20,
  loginCheckMs: 50,
  agentFileCheckMs: 50,
  storedServersCheckMs: 50,
  modelRetryMs: 20,
} as const satisfies Partial<Timing>
