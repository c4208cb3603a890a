import { callSilenceDefaultMs } from '../mcp/call-clock.ts'

/** How a tool may be used. What is unset is decided further down: tool, server, built-in. */
export interface ToolConfig {
  readonly maxInstances?: number
  readonly timeoutMs?: number
  readonly include?: Inclusion
  readonly approval?: ToolApproval
}

/** `always` in every step, `manual` when the person adds it, `agent` when the search finds it. */
export const inclusions = ['always', 'manual', 'agent'] as const
export type Inclusion = (typeof inclusions)[number]

export const toolApprovals = ['allow', 'ask', 'deny'] as const
export type ToolApproval = (typeof toolApprovals)[number]

/** An entry of `toolbox.tools`. Without a server it speaks of every tool of that name. */
export interface ConfiguredTool extends ToolConfig {
  readonly name: string
  readonly server?: string
}

export const serverModes = ['strict', 'dynamic'] as const
export type ServerMode = (typeof serverModes)[number]

/** What the agent file says of the tools of one server. */
export interface ServerPolicy {
  readonly mode: ServerMode
  readonly defaultToolConfig?: ToolConfig
  readonly include?: Inclusion
}

/** A tool's configuration with nothing left open, and where each value came from. */
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

/** Whether somebody has said so, in the agent file or for one call. */
export function isConfigured({ source }: Sourced<unknown>): boolean {
  return source !== builtInSource
}

/** How many calls of all tools together may run at once. */
export const maxConcurrentDefault = 10

export const toolConfigDefaults = { maxInstances: 5, timeoutMs: callSilenceDefaultMs, include: 'always' } as const

/** A layer of configuration and its name, the strongest first. */
export type ConfigLayer = readonly [source: string, config: ToolConfig | undefined]

/** Field by field, the first layer that says something has it. */
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
