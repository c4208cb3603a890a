import type { CallEffect } from '../messages/tool.ts'
import type { ToolConfig } from './tool-config.ts'

/** The effect of a call of each built-in tool. */
export const builtinEffects = {
  read_file: 'read',
  list_directory: 'read',
  find_files: 'read',
  search_files: 'read',
  write_file: 'write',
  edit_file: 'write',
  run_command: 'run',
  command_output: 'none',
  stop_command: 'none',
  fetch_url: 'fetch',
  update_plan: 'none',
  delegate: 'none',
  ask_person: 'none',
} as const satisfies Readonly<Record<string, CallEffect>>

export type BuiltinToolName = keyof typeof builtinEffects

/** Settings of the built-in tools. A tool that is not mentioned is enabled, with its defaults. */
export type BuiltinSettings = {
  readonly [Name in BuiltinToolName]?: Name extends 'run_command'
    ? CommandSettings
    : Name extends 'fetch_url'
      ? FetchSettings
      : BuiltinToolSettings
}

/** Like the settings of any tool. They are always offered, so `include` does not apply. */
export interface BuiltinToolSettings extends Omit<ToolConfig, 'include'> {
  /** Defaults to true. */
  readonly enabled?: boolean
}

interface CommandSettings extends BuiltinToolSettings {
  /** The longest timeout that the model may choose. */
  readonly timeoutMsMax?: number
  /** Names of variables that commands get although they hold secrets. */
  readonly keepVariables?: readonly string[]
}

interface FetchSettings extends BuiltinToolSettings {
  /** Hosts in private networks that may be fetched. */
  readonly privateHosts?: readonly string[]
}

/** Undefined for a tool that is not built in, or that has no settings. */
export function builtinSettingsOf(settings: BuiltinSettings, name: string): BuiltinToolSettings | undefined {
  return Object.hasOwn(settings, name) ? settings[name as BuiltinToolName] : undefined
}
