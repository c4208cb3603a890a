import type { SchemaMode } from '../policy/tool-config.ts'

export interface PlannedTool {
  readonly key: string
  /** The estimated size of its definition. */
  readonly tokens: number
  readonly schemas: SchemaMode
  /** If a vendor does not accept all definitions, tools with a lower rank are sent. */
  readonly rank: number
}

export interface SchemaLimits {
  /** The share of the window for the definitions of all `auto` tools, in tokens. */
  readonly tokensMax: number
  /** The number of definitions that the model's vendor accepts. */
  readonly countMax: number
}

/** The next request must begin like the earlier ones of the conversation. */
export interface EarlierPlan {
  /** The keys of the tools whose definitions were sent. */
  readonly full: readonly string[]
  /** True once the share was exceeded. From then on, the schemas of new `auto` tools wait as well. */
  readonly waits: boolean
  /** True once any schema waits: no other definition is sent then because the tool is wanted. */
  readonly isDecided: boolean
}

/** Of the definitions that a vendor accepts, two are for the tools that find and call the others. */
const ownTools = 2

export function exceedsShare(tools: readonly PlannedTool[], { tokensMax }: SchemaLimits): boolean {
  const auto = tools.filter(({ schemas }) => schemas === 'auto')
  return auto.reduce((sum, { tokens }) => sum + tokens, 0) > tokensMax
}

/** True if a definition is sent as far as the vendor accepts so many. */
export function isDue(schemas: SchemaMode, waits: boolean): boolean {
  return schemas === 'full' || (schemas === 'auto' && !waits)
}

/**
 * The keys of the tools whose definitions are sent. All others stay callable; only their schemas wait. `isWanted` is true for a tool that
 * should be sent although others wait.
 */
export function planSchemas(
  tools: readonly PlannedTool[],
  limits: SchemaLimits,
  earlier: EarlierPlan,
  isWanted: (key: string) => boolean,
): ReadonlySet<string> {
  const waits = earlier.waits || exceedsShare(tools, limits)
  const before = new Set(earlier.full)
  const isAddable = (key: string) => !earlier.isDecided && isWanted(key)
  const full = tools.filter(({ key, schemas }) => before.has(key) || isDue(schemas, waits) || isAddable(key))
  const isAll = full.length === tools.length && full.length <= limits.countMax
  const max = isAll ? full.length : Math.max(0, limits.countMax - ownTools)
  if (full.length <= max) return new Set(full.map(({ key }) => key))
  const ranked = full.map(({ key, rank }) => {
    return { key, rank: before.has(key) ? 0 : isAddable(key) ? Math.min(rank, 1) : rank }
  })
  const first = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, max)
  return new Set(first.map(({ key }) => key))
}
