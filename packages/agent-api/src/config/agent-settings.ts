import { isDeepStrictEqual } from 'node:util'
import type { ApprovalMode } from '../policy/approval.ts'
import { maxConcurrentDefault, type Inclusion, type ServerMode, type ToolApproval } from '../policy/tool-config.ts'
import type { AgentFile } from './agent-file-schema.ts'
import type { ConfigPath } from './config-document.ts'
import { valueAt } from './describe-issue.ts'
import { parseDuration } from './duration.ts'

/** What of an agent file can be changed in a form. The words are those of the file. */
export interface AgentSettings {
  readonly approval: { readonly mode: ApprovalMode; readonly trustedTools: readonly string[] }
  readonly storedServers: 'all' | 'none' | readonly string[]
  readonly sessionServers: { readonly mode: ServerMode; readonly approval?: ToolApproval; readonly rateLimit?: RateSetting }
  readonly toolbox: { readonly maxConcurrent: number; readonly tools: readonly ToolSetting[] }
  readonly toolBudget: number
  /** Per server of the file: whether it is used, and how. */
  readonly mcpServers: Readonly<Record<string, ServerSetting>>
}

export interface RateSetting {
  readonly calls: number
  readonly per: string | number
}

export interface ServerSetting {
  readonly enabled: boolean
  readonly mode: ServerMode
  readonly include?: Inclusion
}

export interface ToolSetting {
  readonly name: string
  readonly server?: string
  readonly maxInstances?: number
  readonly timeout?: string | number
  readonly include?: Inclusion
  readonly approval?: ToolApproval
}

/** `data` is what the file was made from: there a duration stands as the person wrote it. */
export function toAgentSettings(file: AgentFile, data: unknown): AgentSettings {
  return {
    approval: file.approval,
    storedServers: file.storedServers,
    sessionServers: compact({
      mode: file.sessionServers.mode,
      approval: file.sessionServers.approval,
      rateLimit: valueAt(data, ['sessionServers', 'rateLimit']) as RateSetting | undefined,
    }),
    toolbox: {
      maxConcurrent: file.toolbox.maxConcurrent ?? maxConcurrentDefault,
      tools: file.toolbox.tools.map((tool, index) => {
        const timeout = valueAt(data, ['toolbox', 'tools', index, 'timeout']) as string | number | undefined
        return compact({ ...tool, timeout })
      }),
    },
    toolBudget: file.toolBudget,
    mcpServers: Object.fromEntries(
      Object.entries(file.mcpServers).map(([name, { enabled, mode, include }]) => [name, compact({ enabled, mode, include })]),
    ),
  }
}

/** One field that is to have another value; undefined where it is to have none. */
export interface SettingChange {
  readonly path: ConfigPath
  readonly value: unknown
}

/** What differs between what a person was shown and what they want. A server that is left out is left as it is. */
export function changedSettings(shown: AgentSettings, wanted: AgentSettings): readonly SettingChange[] {
  const pairs: readonly (readonly [ConfigPath, unknown, unknown])[] = [
    [['approval', 'mode'], shown.approval.mode, wanted.approval.mode],
    [['approval', 'trustedTools'], shown.approval.trustedTools, wanted.approval.trustedTools],
    [['storedServers'], shown.storedServers, wanted.storedServers],
    [['sessionServers', 'mode'], shown.sessionServers.mode, wanted.sessionServers.mode],
    [['sessionServers', 'approval'], shown.sessionServers.approval, wanted.sessionServers.approval],
    [['sessionServers', 'rateLimit'], shown.sessionServers.rateLimit, wanted.sessionServers.rateLimit],
    [['toolbox', 'maxConcurrent'], shown.toolbox.maxConcurrent, wanted.toolbox.maxConcurrent],
    [['toolBudget'], shown.toolBudget, wanted.toolBudget],
    ...Object.entries(wanted.mcpServers).flatMap(([name, server]) =>
      (['enabled', 'mode', 'include'] as const).map(
        (field) => [['mcpServers', name, field], shown.mcpServers[name]?.[field], server[field]] as const,
      ),
    ),
  ]
  const changes = pairs.flatMap(([path, before, after]) => (isDeepStrictEqual(before, after) ? [] : [{ path, value: after }]))
  return [...changes, ...changedTools(shown.toolbox.tools, wanted.toolbox.tools)]
}

const toolFields = ['maxInstances', 'timeout', 'include', 'approval'] as const

/** Tools that are still there keep their lines; where they come in another order the whole list is written anew. */
function changedTools(shown: readonly ToolSetting[], wanted: readonly ToolSetting[]): readonly SettingChange[] {
  const path = ['toolbox', 'tools']
  if (shown.length === 0) return wanted.length === 0 ? [] : [{ path, value: wanted.map(compact) }]
  const keyOf = ({ name, server }: ToolSetting) => JSON.stringify([name, server])
  const wantedKeys = wanted.map(keyOf)
  const shownKeys = shown.map(keyOf)
  const kept = shownKeys.filter((key) => wantedKeys.includes(key))
  const isInOrder = kept.every((key, index) => key === wantedKeys[index]) && new Set(shownKeys).size === shownKeys.length
  if (!isInOrder || new Set(wantedKeys).size !== wantedKeys.length) {
    return isSameTools(shown, wanted) ? [] : [{ path, value: wanted.map(compact) }]
  }

  const fields = wanted.slice(0, kept.length).flatMap((tool) => {
    const index = shownKeys.indexOf(keyOf(tool))
    const before = shown[index]
    return toolFields.flatMap((field): SettingChange[] =>
      isSameField(field, before?.[field], tool[field]) ? [] : [{ path: [...path, index, field], value: tool[field] }],
    )
  })
  // From the last to the first, so that the places of the others stay what they are.
  const removed = shownKeys.flatMap((key, index): SettingChange[] =>
    wantedKeys.includes(key) ? [] : [{ path: [...path, index], value: undefined }],
  )
  const added = wanted
    .slice(kept.length)
    .map((tool, index): SettingChange => ({ path: [...path, kept.length + index], value: compact(tool) }))
  return [...fields, ...removed.toReversed(), ...added]
}

export function isSameSettings(one: AgentSettings, other: AgentSettings): boolean {
  return changedSettings(one, other).length === 0 && isSameTools(one.toolbox.tools, other.toolbox.tools)
}

function isSameTools(one: readonly ToolSetting[], other: readonly ToolSetting[]): boolean {
  const plain = (tools: readonly ToolSetting[]) =>
    tools.map((tool) =>
      compact({ ...tool, timeout: tool.timeout === undefined ? undefined : (parseDuration(tool.timeout) ?? tool.timeout) }),
    )
  return isDeepStrictEqual(plain(one), plain(other))
}

/** `30s` and `30000` are one. */
function isSameField(field: (typeof toolFields)[number], before: unknown, after: unknown): boolean {
  if (field !== 'timeout' || before === undefined || after === undefined) return before === after
  return before === after || parseDuration(before as string | number) === parseDuration(after as string | number)
}

function compact<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
