import type { Sandbox } from '../fence/fence.ts'
import type { CallEffect } from '../messages/tool.ts'
import { configOfLocalTool } from '../policy/local-tools.ts'
import type { ConfiguredTool, EffectiveToolConfig, ToolConfig } from '../policy/tool-config.ts'

// Everything that lists the built-in tools derives from this table. `create-builtin-tools` makes a tool for each row.
/** The built-in tools, each with the effect of a usual call. The editor brings `ask_person`, if it shows forms. */
export const builtinEffects = {
  read_file: 'read',
  write_file: 'write',
  edit_file: 'write',
  list_directory: 'read',
  find_files: 'read',
  search_files: 'read',
  run_command: 'run',
  command_output: 'none',
  stop_command: 'none',
  fetch_url: 'fetch',
  update_plan: 'none',
  delegate: 'none',
  ask_person: 'none',
} as const satisfies Readonly<Record<string, CallEffect>>

export type BuiltinToolName = keyof typeof builtinEffects
/** A tool that every session has. */
export type OwnToolName = Exclude<BuiltinToolName, 'ask_person'>

export const builtinToolNames = Object.keys(builtinEffects).filter(
  (name): name is OwnToolName => name !== 'ask_person',
)

export function isBuiltin(name: string): name is BuiltinToolName {
  return Object.hasOwn(builtinEffects, name)
}

/** Settings of the built-in tools. A tool that is not mentioned is enabled, with its defaults. */
export type BuiltinSettings = {
  readonly [Name in BuiltinToolName]?: Name extends 'run_command'
    ? CommandSettings
    : Name extends 'fetch_url'
      ? FetchSettings
      : BuiltinToolSettings
}

/** Settings like those of any tool, without `include`, because these tools are always offered. */
export interface BuiltinToolSettings extends Omit<ToolConfig, 'include'> {
  /** Defaults to true. */
  readonly enabled?: boolean
}

interface CommandSettings extends BuiltinToolSettings {
  /** The longest timeout that the model may choose. */
  readonly timeoutMsMax?: number
  /** Names of variables that commands get although they hold secrets. */
  readonly keepVariables?: readonly string[]
  /** Whether commands run in a fence. Off by default. */
  readonly sandbox?: Sandbox
}

interface FetchSettings extends BuiltinToolSettings {
  /** Hosts in private networks that may be fetched. */
  readonly privateHosts?: readonly string[]
}

/** Undefined for a tool that is not built in, or that has no settings. */
export function builtinSettingsOf(settings: BuiltinSettings, name: string): BuiltinToolSettings | undefined {
  return Object.hasOwn(settings, name) ? settings[name as BuiltinToolName] : undefined
}

/** The settings of the tool itself come before those of all tools of its name. */
export function configOfBuiltinTool(
  name: string,
  configured: readonly ConfiguredTool[],
  settings: BuiltinSettings,
): EffectiveToolConfig {
  return configOfLocalTool(
    { ref: { server: null, tool: name } },
    configured,
    builtinSettingsOf(settings, name),
  )
}
