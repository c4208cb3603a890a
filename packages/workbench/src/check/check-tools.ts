import { existsSync } from 'node:fs'
import {
  type LoadedAgentFile,
  toBuiltinSettings,
  builtinEffects,
  type BuiltinToolName,
  configOfBuiltinTool,
  toText,
  type ConfiguredTool,
  messageOf,
  admitLocalTools,
  cannotLoad,
  loadLocalTools,
  localModules,
  missingFile,
  type EffectiveToolConfig,
  type Inclusion,
  type Sourced,
  type ToolApproval,
  type ConfigPath,
} from '@ostler/agent-api/internal'
import { createJudge } from '../judge/judge.ts'

/** For a call inside the session's directories, without any answers of the person. */
export interface CheckedBuiltinTool {
  readonly name: BuiltinToolName
  /** `off`: the tool is not offered. */
  readonly call: 'allow' | 'ask' | 'deny' | 'off'
  readonly rule: string
  /** `FILE:LINE:COLUMN` or a variable. */
  readonly place?: string
}

export function checkBuiltinTools(
  { file, sourceOf }: LoadedAgentFile,
  configured: readonly ConfiguredTool[],
): readonly CheckedBuiltinTool[] {
  const settings = toBuiltinSettings(file)
  const judge = createJudge(file, [])
  const names = Object.keys(builtinEffects) as readonly BuiltinToolName[]
  return names.map((name) => {
    const { verdict: call, rule: by } = judge({ ref: { server: null, tool: name } })
    const rule = toText(by)
    if (call === 'off') return { name, call, rule, place: sourceOf(['tools', name, 'enabled']) }
    const { approval } = explainToolConfig(
      name,
      undefined,
      configOfBuiltinTool(name, configured, settings),
      sourceOf,
    )
    const place = by.by === 'tool' ? approval.place : undefined
    return { name, call, rule, place }
  })
}

interface CheckedLocalTools {
  readonly tools: readonly ExplainedTool[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/** Runs the modules, as the start of an agent does. */
export async function checkLocalTools(
  { file, sourceOf }: LoadedAgentFile,
  agentFile: string | undefined,
  configured: readonly ConfiguredTool[],
): Promise<CheckedLocalTools> {
  try {
    const loaded = await loadLocalTools(localModules(file.localTools, agentFile), configured)
    const tools = admitLocalTools(loaded, configured)
    return {
      tools: [...tools].map(([name, config]) => explainToolConfig(name, undefined, config, sourceOf)),
      problems: [],
      notes: [],
    }
  } catch (error) {
    return { tools: [], problems: [messageOf(error)], notes: [] }
  }
}

/** Does not run the modules. */
export function findLocalTools({ file }: LoadedAgentFile, agentFile: string | undefined): CheckedLocalTools {
  const modules = Map.groupBy(localModules(file.localTools, agentFile), (path) => existsSync(path))
  return {
    tools: [],
    problems: (modules.get(false) ?? []).map((path) => cannotLoad(path, missingFile)),
    notes: (modules.get(true) ?? []).map(
      (path) => `The module ${path} of localTools was not loaded. --connect loads it and checks its tools.`,
    ),
  }
}

/** `source` is the layer of the configuration, `place` its `FILE:LINE:COLUMN` or variable. */
export interface Explained<T> {
  readonly value: T
  readonly source: string
  readonly place?: string
}

export interface ExplainedTool {
  readonly name: string
  readonly maxInstances: Explained<number>
  readonly timeoutMs: Explained<number>
  readonly include: Explained<Inclusion>
  /** Null if the approval mode decides. */
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
    return { value, source, place: path && sourceOf(path) }
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

/** Built-in values have no place. */
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
