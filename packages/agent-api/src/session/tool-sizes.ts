import { counted } from '../base/quantities.ts'
import { estimateText, measureEach } from '../context/estimate-tokens.ts'
import { describeSizes, type ToolSize } from '../messages/tool-size.ts'
import type { WireTool } from '../messages/tool.ts'
import type { Model, Vendor } from '../provider/model.ts'
import { firstSentence, listWaiting, type NamedTool } from '../tools/list-waiting.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { toolKey } from '../tools/select-tools.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import type { Session } from './session.ts'
import type { Toolbox } from './toolbox.ts'

/** The sizes of the tools in the session's requests. A plain value, replaced when it changes. */
export interface ToolSizes {
  /** Equal if the same tools are sent, and the same ones wait. */
  readonly tools: string
  /** Equal if the session has the same tools. */
  readonly names: string
  /** How the vendor's counts differ from the estimates. Coarse, so that it seldom changes. */
  readonly ratio: number
  /** By the keys of the tools. */
  readonly sizes: ReadonlyMap<string, ToolSize>
  /** For the report of the servers, if schemas wait. It stays as it is while the names do, so that each use of a tool does not tell it again. */
  readonly remark: string | undefined
}

/** Keeps the sizes of the tools of a request for the person. True if the report has a new remark about them. */
export async function noteSizes(
  { toolbox, record }: Pick<Session, 'toolbox' | 'record'>,
  { vendor }: Pick<Model, 'vendor'>,
  toolSet: ToolSet,
): Promise<boolean> {
  const before = toolbox.sizes.current
  const tools = JSON.stringify(toolSet.wireTools.map(({ name, deferral }) => [name, deferral]))
  const ratio = Math.round(record.memory.gauge.ratio * 10) / 10
  if (tools === before?.tools && ratio === before.ratio) return false
  const sizes = await measureSizes(toolSet, vendor, ratio)
  const names = JSON.stringify(toolSet.wireTools.map(({ name }) => name).toSorted())
  const waiting = describeWaiting(toolSet, sizes)
  const remark = waiting && names === before?.names ? (before.remark ?? waiting) : waiting
  toolbox.sizes.current = { tools, names, ratio, sizes, remark }
  toolbox.changed()
  return remark !== undefined && remark !== before?.remark
}

/** The sizes of these tools in the requests so far, or of their definitions before the first request. */
export async function sizesOf(
  { sizes: { current } }: Pick<Toolbox, 'sizes'>,
  tools: readonly OfferedTool[],
): Promise<ToolSizes['sizes']> {
  return current?.sizes ?? measureSizes(createToolSet(tools), 'offline', 1)
}

/** Each definition, and what is left of it while its schema waits. Without a session, the vendor is not known. */
export async function measureDefinitions(
  tools: readonly WireTool[],
): Promise<readonly { readonly tokens: number; readonly waitingTokens: number }[]> {
  const sizes = await measureEach(tools, 'offline')
  return tools.map(({ name, description }, index) => {
    const waitingTokens = estimateText(`- ${name}: ${firstSentence(description)}`)
    return { tokens: sizes[index] ?? 0, waitingTokens }
  })
}

async function measureSizes(
  { wireTools, find }: ToolSet,
  vendor: Vendor,
  ratio: number,
): Promise<ToolSizes['sizes']> {
  const tokens = await measureEach(wireTools, vendor)
  const tools = wireTools.flatMap(({ name, deferral }, index) => {
    const entry = find(name)
    const whole = Math.round((tokens[index] ?? 0) * ratio)
    return entry === undefined ? [] : { name, entry, whole, waits: deferral === 'deferred' }
  })
  const rows = waitingRows(tools.filter(({ waits }) => waits))
  const sizes = tools.map(({ name, entry: { tool }, whole }) => {
    const row = rows.get(name)
    const sent = row === undefined ? whole : Math.min(whole, Math.round(estimateText(row) * ratio))
    return [toolKey(tool.ref), { tool: tool.ref.tool, sent, saved: whole - sent }] as const
  })
  return new Map(sizes)
}

/** By the names of the tools. */
function waitingRows(tools: readonly NamedTool[]): ReadonlyMap<string, string> {
  const rows = listWaiting(tools).split('\n')
  return new Map(rows.map((row) => [/^- ([^:]+)/.exec(row)?.[1] ?? '', row]))
}

function describeWaiting({ wireTools, find }: ToolSet, sizes: ToolSizes['sizes']): string | undefined {
  const count = wireTools.filter(({ deferral }) => deferral === 'deferred').length
  if (count === 0) return undefined
  const ofServers = wireTools.flatMap(({ name }) => {
    const ref = find(name)?.tool.ref
    return (ref !== undefined && ref.server !== null && sizes.get(toolKey(ref))) || []
  })
  return `The schemas of ${counted(count, 'tool')} wait until they are needed. The tools of all servers take ${describeSizes(ofServers)}.`
}
