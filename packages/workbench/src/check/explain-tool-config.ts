import type {
  EffectiveToolConfig,
  Inclusion,
  Sourced,
  ToolApproval,
  LoadedAgentFile,
  ConfigPath,
} from '@ostler/agent-api/internal'

/** A value with the configuration layer that set it, and its place: `FILE:LINE:COLUMN` or a variable. */
export interface Explained<T> {
  readonly value: T
  readonly source: string
  readonly place?: string
}

/** The effective settings of one tool with their origins. */
export interface ExplainedTool {
  readonly name: string
  readonly maxInstances: Explained<number>
  readonly timeoutMs: Explained<number>
  readonly include: Explained<Inclusion>
  /** Null if nothing is configured for this tool, so that the approval mode decides. */
  readonly approval: Explained<ToolApproval | null>
}

/** `server` is undefined for a local tool. */
export function explainToolConfig(
  name: string,
  server: string | undefined,
  config: EffectiveToolConfig,
  sourceOf: LoadedAgentFile['sourceOf'],
): ExplainedTool {
  const explain = <T>({ value, source }: Sourced<T>, field: string): Explained<T> => {
    const path = pathOf(source, server, field)
    return { value, source, ...(path && { place: sourceOf(path) }) }
  }
  return {
    name,
    maxInstances: explain(config.maxInstances, 'maxInstances'),
    timeoutMs: explain(config.timeoutMs, 'timeout'),
    include: explain(config.include, 'include'),
    approval:
      config.approval === undefined
        ? { value: null, source: 'approval.mode' }
        : explain(config.approval, 'approval'),
  }
}

/** Maps a layer's name to the field in the file. Built-in values have no place. */
function pathOf(source: string, server: string | undefined, field: string): ConfigPath | undefined {
  const index = /^toolbox\.tools\[(\d+)\]$/.exec(source)?.[1]
  if (index !== undefined) return ['toolbox', 'tools', Number(index), field]
  const builtin = /^tools\.(\w+)$/.exec(source)?.[1]
  if (builtin !== undefined) return ['tools', builtin, field]
  if (server === undefined) return undefined
  if (source === `mcpServers.${server}.defaultToolConfig`)
    return ['mcpServers', server, 'defaultToolConfig', field]
  return source === `mcpServers.${server}.include` ? ['mcpServers', server, 'include'] : undefined
}
