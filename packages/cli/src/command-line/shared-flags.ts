import type { FlagSpec } from './command.ts'

type Others = Omit<Partial<FlagSpec>, keyof TextFlag>
type TextFlag = { readonly type: 'string' } & Pick<FlagSpec, 'value' | 'help'>

/** A flag with a value. `value` names it in the usage. */
export function textFlag(value: string, help: string): TextFlag
export function textFlag<const O extends Others>(value: string, help: string, others: O): TextFlag & O
export function textFlag(value: string, help: string, others?: Others): TextFlag & Others {
  return { type: 'string', value, help, ...others }
}

/** A flag that is on or off. */
export function switchFlag(help: string) {
  return { type: 'boolean', default: false, help } as const satisfies FlagSpec
}

export const jsonFlag = switchFlag('Print JSON')

export const stateDirFlag = textFlag(
  'DIR',
  'The state directory (default: $XDG_STATE_HOME/ostler or ~/.local/state/ostler)',
  { completion: 'directory' },
)

/** The flags of commands that read the state directory. */
export const stateFlags = { json: jsonFlag, 'state-dir': stateDirFlag }

/** The length of a page of a list. */
export const limitFlag = textFlag('N', 'The maximum number of results (50)', { default: '50' })

export const serverFlag = textFlag('NAME', 'Only calls of this MCP server', { completion: 'server' })

export const yesFlag = { ...switchFlag('Do not ask for confirmation'), short: 'y' } as const

export const forceFlag = switchFlag('Replace an existing file')

export function agentFlag(help = 'The agent file (default: OSTLER_AGENT, then your own ostler.yaml)') {
  return textFlag('FILE', help, { completion: 'file' })
}
