import type { AgentSettings, GrantView, Outcome, Policy, PolicyTool, ToolSetting } from '../../../api.ts'
import { searchWords } from '../../text/search.ts'

export interface ToolRow {
  readonly key: string
  /** Null for a built-in tool. Undefined for a setting that is for all servers. */
  readonly server: string | null | undefined
  readonly tool: string
  readonly known?: PolicyTool
  readonly grants: readonly GrantView[]
}

type ToolRef = Pick<ToolRow, 'server' | 'tool'>

export type RowFilter = 'all' | 'allow' | 'ask' | 'deny' | 'changed'

/** The tools, followed by the settings and answers that belong to none of them. */
export function toRows({ tools, grants }: Policy, entries: readonly ToolSetting[]): readonly ToolRow[] {
  const given = Map.groupBy(grants, ({ server, tool }) => keyOf(server, tool))
  const seen = new Map<string, number>()
  const rows = tools.map((known): ToolRow => {
    const { server, tool } = known
    const key = keyOf(server, tool)
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    // Two sessions may have servers of the same name.
    return { key: times === 1 ? key : `${key} ${times}`, server, tool, known, grants: given.get(key) ?? [] }
  })
  const names = new Set(tools.map(({ tool }) => tool))
  const left = entries.flatMap(({ name, server }, index): ToolRow[] => {
    const isKnown = server === undefined ? names.has(name) : seen.has(keyOf(server, name))
    return isKnown
      ? []
      : [
          {
            key: `entry ${index}`,
            server,
            tool: name,
            grants: server === undefined ? [] : (given.get(keyOf(server, name)) ?? []),
          },
        ]
  })
  const listed = new Set([...seen.keys(), ...left.map(({ server, tool }) => keyOf(server, tool))])
  const orphans = [...given].flatMap(([key, own]): ToolRow[] =>
    listed.has(key) || own[0] === undefined
      ? []
      : [{ key: `grants ${key}`, server: own[0].server, tool: own[0].tool, grants: own }],
  )
  return [...rows, ...left, ...orphans]
}

export function findRows(
  rows: readonly ToolRow[],
  { text, server, filter }: { text: string; server: string; filter: RowFilter },
) {
  const words = searchWords(text)
  return rows.filter((row) => {
    if (server !== '' && nameOfServer(row) !== server) return false
    if (
      filter === 'changed'
        ? row.known?.after === undefined
        : filter !== 'all' && !isVerdict(row.known, filter)
    )
      return false
    const text = textOf(row)
    return words.every((word) => text.includes(word))
  })
}

const searched = new WeakMap<ToolRow, string>()

function textOf(row: ToolRow): string {
  const { title = '', about = '' } = row.known ?? {}
  const text = searched.get(row) ?? `${nameOfServer(row)} ${row.tool} ${title} ${about}`.toLowerCase()
  searched.set(row, text)
  return text
}

/** A tool that is not offered counts as denied. */
function isVerdict(tool: PolicyTool | undefined, verdict: Outcome['verdict']): boolean {
  const now = (tool?.after ?? tool?.now)?.verdict
  return now === verdict || (verdict === 'deny' && now === 'off')
}

export function nameOfServer({ server }: Pick<ToolRow, 'server'>): string {
  return server === null ? 'Ostler' : (server ?? 'any server')
}

export interface PolicyChanges {
  readonly looser: number
  /** The number of these tools that may destroy something, according to their servers. */
  readonly destructive: number
  readonly stricter: number
}

const strictness: Readonly<Record<Outcome['verdict'], number>> = { allow: 0, ask: 1, deny: 2, off: 2 }

export function countChanges(tools: readonly PolicyTool[]): PolicyChanges {
  const steps = tools.flatMap(({ now, after, claims }) =>
    after === undefined
      ? []
      : [
          {
            step: strictness[after.verdict] - strictness[now.verdict],
            isDestructive: claims?.destructiveHint === true,
          },
        ],
  )
  const looser = steps.filter(({ step }) => step < 0)
  return {
    looser: looser.length,
    destructive: looser.filter(({ isDestructive }) => isDestructive).length,
    stricter: steps.filter(({ step }) => step > 0).length,
  }
}

/** The setting of a tool. `off`: a built-in tool is switched off. `listed`: a strict server's tool is offered, and the other rules decide. */
export type ToolChoice = '' | 'listed' | 'allow' | 'ask' | 'deny' | 'off'

export function choiceOf(settings: AgentSettings, { server, tool }: ToolRef): ToolChoice {
  if (server === null) {
    const own = settings.tools[tool]
    return own === undefined ? '' : own.enabled ? (own.approval ?? '') : 'off'
  }
  const entry = entryOf(settings, { server, tool })
  return entry === undefined ? '' : (entry.approval ?? 'listed')
}

export function entryOf({ toolbox }: AgentSettings, { server, tool }: ToolRef): ToolSetting | undefined {
  return toolbox.tools.find((entry) => entry.name === tool && entry.server === (server ?? undefined))
}

export function withChoice(
  settings: AgentSettings,
  { server, tool }: ToolRef,
  choice: ToolChoice,
): AgentSettings {
  const isApproval = choice === 'allow' || choice === 'ask' || choice === 'deny'
  if (server === null) {
    const { approval: _, ...rest } = settings.tools[tool] ?? { enabled: true }
    const own = { ...rest, enabled: choice !== 'off', ...(isApproval && { approval: choice }) }
    return { ...settings, tools: { ...settings.tools, [tool]: own } }
  }
  if (choice === '') return withEntry(settings, { server, tool }, undefined)
  const { approval: _, ...rest } = entryOf(settings, { server, tool }) ?? {
    name: tool,
    server,
  }
  return withEntry(settings, { server, tool }, isApproval ? { ...rest, approval: choice } : rest)
}

export function withEntry(
  settings: AgentSettings,
  { server, tool }: ToolRef,
  entry: ToolSetting | undefined,
): AgentSettings {
  const { toolbox } = settings
  const index = toolbox.tools.findIndex((own) => own.name === tool && own.server === (server ?? undefined))
  const others = toolbox.tools.filter((_, at) => at !== index)
  const tools =
    entry === undefined ? others : index === -1 ? [...toolbox.tools, entry] : toolbox.tools.with(index, entry)
  return { ...settings, toolbox: { ...toolbox, tools } }
}

export function trustedBy({ approval }: AgentSettings, { server, tool }: ToolRef): string | undefined {
  const owner = server ?? 'ostler'
  return approval.trustedTools.find(
    (pattern) => pattern === tool || pattern === `${owner}:${tool}` || pattern === `${owner}:*`,
  )
}

function keyOf(server: string | null | undefined, tool: string): string {
  return JSON.stringify([server ?? null, server === undefined ? 'any' : '', tool])
}
