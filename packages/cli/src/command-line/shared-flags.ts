import type { FlagSpec } from './command.ts'

export const jsonFlag = { type: 'boolean', default: false, help: 'Print JSON' } as const satisfies FlagSpec

export const stateDirFlag = {
  type: 'string',
  value: 'DIR',
  help: 'The state directory (default: $XDG_STATE_HOME/ostler or ~/.local/state/ostler)',
  completion: 'directory',
} as const satisfies FlagSpec

export const yesFlag = {
  type: 'boolean',
  short: 'y',
  default: false,
  help: 'Do not ask for confirmation',
} as const satisfies FlagSpec

/** The agent file, with the help that one command gives it. */
export function agentFlag(help: string) {
  return { type: 'string', value: 'FILE', help, completion: 'file' } as const satisfies FlagSpec
}
