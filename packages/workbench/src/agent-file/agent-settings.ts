import { isDeepStrictEqual } from 'node:util'
import {
  isRecord,
  type Approval,
  builtinEffects,
  maxConcurrentDefault,
  type Inclusion,
  type ServerMode,
  type ToolApproval,
  type AgentFile,
  type ConfigPath,
  valueAt,
  parseDuration,
  defined,
} from '@ostler/agent-api/internal'

/** The settings of an agent file that a form can change. Field names and values are those of the file. */
export interface AgentSettings {
  readonly approval: Approval
  readonly storedServers: 'all' | 'none' | readonly string[]
  readonly sessionServers: RestSetting & {
    readonly mode: ServerMode
    readonly approval?: ToolApproval
    readonly rateLimit?: RateSetting
  }
  readonly toolbox: { readonly maxConcurrent: number; readonly tools: readonly ToolSetting[] }
  readonly toolBudget: number
  /** The texts are as written, with their variables. Unset if the file does not set them. */
  readonly model?: string
  readonly smallModel?: string
  readonly thoughtLevel?: AgentFile['thoughtLevel']
  readonly systemPrompt?: string
  /** All built-in tools. */
  readonly tools: Readonly<Record<string, BuiltinToolSetting>>
  readonly mcpServers: Readonly<Record<string, ServerSetting>>
}

interface RateSetting {
  readonly calls: number
  readonly per: string | number
}

/** When a server starts and ends. */
export interface RestSetting {
  readonly start?: 'eager' | 'known-on-demand'
  readonly idle?: string | number
}

interface ServerSetting extends RestSetting {
  readonly enabled: boolean
  readonly mode: ServerMode
  readonly include?: Inclusion
}

export interface ToolSetting {
  readonly name: string
  readonly server?: string
  readonly mode?: ServerMode
  readonly maxInstances?: number
  readonly timeout?: string | number
  readonly include?: Inclusion
  readonly approval?: ToolApproval
}

export interface BuiltinToolSetting {
  readonly enabled: boolean
  readonly approval?: ToolApproval
  readonly maxInstances?: number
  readonly timeout?: string | number
  readonly timeoutMax?: string | number
  readonly keepVariables?: readonly string[]
  readonly privateHosts?: readonly string[]
}

/**
 * `data` is the raw data of the file, which keeps durations as the person wrote them. `written` says how a text is written in the file, if it
 * is in effect.
 */
export function toAgentSettings(
  file: AgentFile,
  data: unknown,
  written: (path: ConfigPath) => string | undefined = () => undefined,
): AgentSettings {
  const restOf = (path: ConfigPath) =>
    ({ start: valueAt(data, [...path, 'start']), idle: valueAt(data, [...path, 'idle']) }) as RestSetting
  return {
    ...defined({
      model: written(['model']) ?? file.model,
      smallModel: written(['models', 'small']) ?? file.models?.small,
      thoughtLevel: file.thoughtLevel,
      systemPrompt: written(['systemPrompt']) ?? file.systemPrompt,
    }),
    tools: Object.fromEntries(
      Object.keys(builtinEffects).map((name) => [name, toBuiltinToolSetting(valueAt(data, ['tools', name]))]),
    ),
    approval: file.approval,
    storedServers: file.storedServers,
    sessionServers: defined({
      mode: file.sessionServers.mode,
      approval: file.sessionServers.approval,
      rateLimit: valueAt(data, ['sessionServers', 'rateLimit']) as RateSetting | undefined,
      ...restOf(['sessionServers']),
    }),
    toolbox: {
      maxConcurrent: file.toolbox.maxConcurrent ?? maxConcurrentDefault,
      tools: file.toolbox.tools.map((tool, index) => {
        const timeout = valueAt(data, ['toolbox', 'tools', index, 'timeout']) as string | number | undefined
        return defined({ ...tool, timeout })
      }),
    },
    toolBudget: file.toolBudget,
    mcpServers: Object.fromEntries(
      Object.entries(file.mcpServers).map(([name, { enabled, mode, include }]) => [
        name,
        defined({ enabled, mode, include, ...restOf(['mcpServers', name]) }),
      ]),
    ),
  }
}

const builtinFields = [
  'approval',
  'maxInstances',
  'timeout',
  'timeoutMax',
  'keepVariables',
  'privateHosts',
] as const

/** The file has been validated, so the fields have their types. */
function toBuiltinToolSetting(entry: unknown): BuiltinToolSetting {
  if (!isRecord(entry)) return { enabled: entry !== false }
  const fields = builtinFields.flatMap((field) => (entry[field] === undefined ? [] : [[field, entry[field]]]))
  return {
    enabled: entry['enabled'] !== false,
    ...(Object.fromEntries(fields) as Omit<BuiltinToolSetting, 'enabled'>),
  }
}

/** `value` is undefined if the field is removed. */
export interface SettingChange {
  readonly path: ConfigPath
  readonly value: unknown
}

const settingPaths: readonly ConfigPath[] = [
  'approval.mode',
  'approval.trustedTools',
  'approval.reads',
  'storedServers',
  'sessionServers.mode',
  'sessionServers.approval',
  'sessionServers.rateLimit',
  'sessionServers.start',
  'sessionServers.idle',
  'toolbox.maxConcurrent',
  'toolBudget',
  'model',
  'models.small',
  'thoughtLevel',
  'systemPrompt',
].map((path) => path.split('.'))
const serverFields = ['enabled', 'mode', 'include', 'start', 'idle']

/** Servers missing from `wanted` stay unchanged. */
export function changedSettings(shown: AgentSettings, wanted: AgentSettings): readonly SettingChange[] {
  const ofServers = Object.keys(wanted.mcpServers).flatMap((name) =>
    serverFields.map((field) => ['mcpServers', name, field]),
  )
  const changes = [...settingPaths, ...ofServers].flatMap((path): SettingChange[] => {
    const value = settingAt(wanted, path)
    return isDeepStrictEqual(settingAt(shown, path), value) ? [] : [{ path, value }]
  })
  const builtin = Object.entries(wanted.tools).flatMap(([name, tool]) =>
    changedBuiltinTool(name, shown.tools[name], tool),
  )
  return [...changes, ...builtin, ...changedTools(shown.toolbox.tools, wanted.toolbox.tools)]
}

/** Settings are at the path that they have in the file, except the small model. */
function settingAt(settings: AgentSettings, path: ConfigPath): unknown {
  return path[0] === 'models' ? settings.smallModel : valueAt(settings, path)
}

/** An entry with fields keeps those that stay. Without any, it is `false`, or nothing. */
function changedBuiltinTool(
  name: string,
  before: BuiltinToolSetting = { enabled: true },
  after: BuiltinToolSetting,
): readonly SettingChange[] {
  const path = ['tools', name]
  const [{ enabled: wasEnabled, ...had }, { enabled, ...has }] = [before, after]
  if (isDeepStrictEqual({ ...before }, { ...after })) return []
  const given = Object.keys(has).length > 0
  if (!given) return [{ path, value: enabled ? undefined : false }]
  if (Object.keys(had).length === 0)
    return [{ path, value: defined({ enabled: enabled ? undefined : false, ...has }) }]
  return [
    ...(wasEnabled === enabled ? [] : [{ path: [...path, 'enabled'], value: enabled ? undefined : false }]),
    ...builtinFields.flatMap((field): SettingChange[] =>
      isDeepStrictEqual(had[field], has[field]) ? [] : [{ path: [...path, field], value: has[field] }],
    ),
  ]
}

const toolFields = ['mode', 'maxInstances', 'timeout', 'include', 'approval'] as const

/** Remaining tools keep their lines. If the order changes, the whole list is rewritten. */
function changedTools(
  shown: readonly ToolSetting[],
  wanted: readonly ToolSetting[],
): readonly SettingChange[] {
  const path = ['toolbox', 'tools']
  if (shown.length === 0) return wanted.length === 0 ? [] : [{ path, value: wanted.map(defined) }]
  const keyOf = ({ name, server }: ToolSetting) => JSON.stringify([name, server])
  const wantedKeys = wanted.map(keyOf)
  const shownKeys = shown.map(keyOf)
  const kept = shownKeys.filter((key) => wantedKeys.includes(key))
  const isInOrder =
    kept.every((key, index) => key === wantedKeys[index]) && new Set(shownKeys).size === shownKeys.length
  if (!isInOrder || new Set(wantedKeys).size !== wantedKeys.length) {
    return isSameTools(shown, wanted) ? [] : [{ path, value: wanted.map(defined) }]
  }

  const fields = wanted.slice(0, kept.length).flatMap((tool) => {
    const index = shownKeys.indexOf(keyOf(tool))
    const before = shown[index]
    return toolFields.flatMap((field): SettingChange[] =>
      isSameField(field, before?.[field], tool[field])
        ? []
        : [{ path: [...path, index, field], value: tool[field] }],
    )
  })
  // Last to first, so that the other indexes stay valid.
  const removed = shownKeys.flatMap((key, index): SettingChange[] =>
    wantedKeys.includes(key) ? [] : [{ path: [...path, index], value: undefined }],
  )
  const added = wanted
    .slice(kept.length)
    .map((tool, index): SettingChange => ({ path: [...path, kept.length + index], value: defined(tool) }))
  return [...fields, ...removed.toReversed(), ...added]
}

export function isSameSettings(one: AgentSettings, other: AgentSettings): boolean {
  return changedSettings(one, other).length === 0 && isSameTools(one.toolbox.tools, other.toolbox.tools)
}

function isSameTools(one: readonly ToolSetting[], other: readonly ToolSetting[]): boolean {
  const plain = (tools: readonly ToolSetting[]) =>
    tools.map((tool) =>
      defined({
        ...tool,
        timeout: tool.timeout === undefined ? undefined : (parseDuration(tool.timeout) ?? tool.timeout),
      }),
    )
  return isDeepStrictEqual(plain(one), plain(other))
}

/** `30s` and `30000` are the same timeout. */
function isSameField(field: (typeof toolFields)[number], before: unknown, after: unknown): boolean {
  if (field !== 'timeout' || before === undefined || after === undefined) return before === after
  return (
    before === after || parseDuration(before as string | number) === parseDuration(after as string | number)
  )
}
