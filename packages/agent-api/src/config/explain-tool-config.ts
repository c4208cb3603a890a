import type { EffectiveToolConfig, Inclusion, Sourced, ToolApproval } from '../policy/tool-config.ts'
import type { LoadedAgentFile } from './agent-file.ts'
import type { ConfigPath } from './config-document.ts'

/** A value, the layer of the configuration that gave it, and where that stands: `FILE:LINE:COLUMN`, or the variable that set it. */
export interface Explained<T> {
  readonly value: T
  readonly source: string
  readonly place?: string
}

/** How one tool may be used, and why so. */
export interface ExplainedTool {
  readonly name: string
  readonly maxInstances: Explained<number>
  readonly timeoutMs: Explained<number>
  readonly include: Explained<Inclusion>
  /** Null where nothing is said of this tool, so that the approval mode decides. */
  readonly approval: Explained<ToolApproval | null>
}

/** `server` is unset for a tool of the program itself. */
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
    approval: config.approval === undefined ? { value: null, source: 'approval.mode' } : explain(config.approval, 'approval'),
  }
}

/** From the name of a layer to the field in the file. What is built in stands nowhere. */
function pathOf(source: string, server: string | undefined, field: string): ConfigPath | undefined {
  const index = /^toolbox\.tools\[(\d+)\]$/.exec(source)?.[1]
  if (index !== undefined) return ['toolbox', 'tools', Number(index), field]
  if (server === undefined) return undefined
  if (source === `mcpServers.${server}.defaultToolConfig`) return ['mcpServers', server, 'defaultToolConfig', field]
  return source === `mcpServers.${server}.include` ? ['mcpServers', server, 'include'] : undefined
}
