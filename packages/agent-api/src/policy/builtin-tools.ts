import type { ToolConfig } from './tool-config.ts'

/** Settings of the built-in tools. A tool that is not mentioned is enabled, with its defaults. */
export interface BuiltinSettings extends Readonly<Partial<Record<PlainTool, BuiltinToolSettings>>> {
  readonly run_command?: CommandSettings
  readonly fetch_url?: FetchSettings
}

export type BuiltinToolName = keyof BuiltinSettings

type PlainTool =
  | 'read_file'
  | 'write_file'
  | 'edit_file'
  | 'list_directory'
  | 'find_files'
  | 'search_files'
  | 'command_output'
  | 'stop_command'
  | 'update_plan'
  | 'ask_person'

/** Like the settings of any tool. They are always offered, so `include` does not apply. */
export interface BuiltinToolSettings extends Omit<ToolConfig, 'include'> {
  /** Defaults to true. */
  readonly enabled?: boolean
}

export interface CommandSettings extends BuiltinToolSettings {
  /** The longest timeout that the model may choose. */
  readonly timeoutMsMax?: number
  /** Names of variables with secrets that commands get. */
  readonly keepVariables?: readonly string[]
}

export interface FetchSettings extends BuiltinToolSettings {
  /** Hosts in private networks that may be fetched. */
  readonly privateHosts?: readonly string[]
}

/** Undefined for a tool that is not built in, or that has no settings. */
export function builtinSettingsOf(settings: BuiltinSettings, name: string): BuiltinToolSettings | undefined {
  return Object.hasOwn(settings, name) ? settings[name as BuiltinToolName] : undefined
}
