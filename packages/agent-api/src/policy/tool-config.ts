import { callSilenceDefaultMs } from '../mcp/call-clock.ts'

/** Settings of a tool. Undefined fields are inherited: from the tool, then its server, then the built-in defaults. */
export interface ToolConfig {
  readonly maxInstances?: number
  readonly timeoutMs?: number
  readonly include?: Inclusion
  readonly approval?: ToolApproval
}

/** `always`: in every step. `manual`: when the person adds it. `agent`: when the search finds it. */
export const inclusions = ['always', 'manual', 'agent'] as const
export type Inclusion = (typeof inclusions)[number]

export const toolApprovals = ['allow', 'ask', 'deny'] as const
export type ToolApproval = (typeof toolApprovals)[number]

/** Decides about changed definitions. Unset: `ask` for what acts and for instructions, `tell` for the rest. */
export const definitionHeeds = ['ask', 'tell', 'ignore'] as const
export type DefinitionHeed = (typeof definitionHeeds)[number]

/** `auto`: the schemas of a server's tools wait if all such tools together take more than their share of the window. */
export const schemaModes = ['auto', 'full', 'deferred'] as const
export type SchemaMode = (typeof schemaModes)[number]

/** An entry of `toolbox.tools`. Without a server, it applies to every tool with that name. */
export interface ConfiguredTool extends ToolConfig {
  readonly name: string
  readonly server?: string
  /** Takes precedence over the mode of the server. */
  readonly mode?: ServerMode
}

export const serverModes = ['strict', 'dynamic'] as const
export type ServerMode = (typeof serverModes)[number]

/** The agent file's settings for one server's tools. */
export interface ServerPolicy {
  readonly mode: ServerMode
  readonly defaultToolConfig?: ToolConfig
  readonly include?: Inclusion
  readonly definitionChanges?: DefinitionHeed | undefined
  /** Names and patterns of the tools that are admitted. Undefined: all. */
  readonly toolAllowlist?: readonly string[]
  /** Names and patterns of tools that are not admitted. */
  readonly toolDenylist?: readonly string[]
}

/** A tool's complete configuration, with the source of each value. */
export interface EffectiveToolConfig {
  readonly maxInstances: Sourced<number>
  readonly timeoutMs: Sourced<number>
  readonly include: Sourced<Inclusion>
  readonly approval?: Sourced<ToolApproval>
}

export interface Sourced<T> {
  readonly value: T
  readonly source: string
}

const builtInSource = 'built-in'

export function isConfigured({ source }: Sourced<unknown>): boolean {
  return source !== builtInSource
}

/** Maximum number of calls at once, over all tools. */
export const maxConcurrentDefault = 10

export const toolConfigDefaults = {
  maxInstances: 5,
  timeoutMs: callSilenceDefaultMs,
  include: 'always',
} as const

export type ConfigLayer = readonly [source: string, config: ToolConfig | undefined]

/** Field by field, the first layer with a value wins. */
export function mergeToolConfig(layers: readonly ConfigLayer[]): EffectiveToolConfig {
  function pick<K extends keyof ToolConfig>(field: K): Sourced<NonNullable<ToolConfig[K]>> | undefined {
    for (const [source, config] of layers) {
      const value = config?.[field]
      if (value !== undefined) return { value, source }
    }
    return undefined
  }
  return {
    maxInstances: pick('maxInstances') ?? { value: toolConfigDefaults.maxInstances, source: builtInSource },
    timeoutMs: pick('timeoutMs') ?? { value: toolConfigDefaults.timeoutMs, source: builtInSource },
    include: pick('include') ?? { value: toolConfigDefaults.include, source: builtInSource },
    approval: pick('approval'),
  }
}
