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

type Texts = Readonly<Partial<Record<RunEnd, string>>>

const unfinished: Texts = {
  max_tokens: "The answer was cut off at the model's token limit.",
  max_turn_requests: 'The limit of requests to the model has been reached.',
  timeout: 'The time of --timeout is over.',
}
const over: Texts = { cancelled: 'Cancelled.', refusal: 'The model refused to answer.' }

/** Says why the run ended without an answer, and `how` to go on. */
export function endingText(end: RunEnd, how: string): string | undefined {
  return unfinished[end] === undefined ? over[end] : `${unfinished[end]} To continue, ${how}`
}

export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}
