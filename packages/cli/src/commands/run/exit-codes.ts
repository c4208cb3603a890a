import { constants } from 'node:os'

/** The end of a run, and its exit code. docs/terminal.md lists them. */
export const exitCodes = {
  end_turn: 0,
  failed: 1,
  refusal: 3,
  max_tokens: 4,
  max_turn_requests: 5,
  unanswered: 6,
  timeout: 124,
  cancelled: 130,
  closed_output: 141,
} as const

export type RunEnd = keyof typeof exitCodes

export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}
