import type { SessionConfigOption } from '@ostler/acp-server'
import type { KnownCommand } from './complete-prompt.ts'

/** The settings that a chat changes itself. The agent has its own command for the model. */
const optionCommands: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  mode: { name: 'mode', description: 'Show or choose when you are asked before a call' },
  thought_level: { name: 'thinking', description: 'Show or choose how much the model thinks' },
}

export const exitCommand: KnownCommand = { name: 'exit', description: 'End the chat' }

export function valuesOf(option: SessionConfigOption | undefined): readonly string[] {
  if (option?.type !== 'select') return []
  return option.options.flatMap((each) =>
    'options' in each ? each.options.map(({ value }) => value) : [each.value],
  )
}

/** The commands of the chat itself, and the values that they take. */
export function localCommands(options: readonly SessionConfigOption[]): readonly KnownCommand[] {
  const settings = options.flatMap((option) => {
    const command = optionCommands[option.id]
    return command === undefined ? [] : [{ ...command, values: valuesOf(option) }]
  })
  return [...settings, exitCommand]
}

export interface OptionChange {
  readonly optionId: string
  /** Undefined to show the current one. */
  readonly value: string | undefined
}

/** Undefined for a line that the agent answers. */
export function parseOptionCommand(line: string): OptionChange | undefined {
  const [, name, value] = /^\/(\S+)(?:\s+(\S+))?\s*$/.exec(line) ?? []
  const optionId = Object.keys(optionCommands).find((id) => optionCommands[id]?.name === name)
  return optionId === undefined ? undefined : { optionId, value }
}
