import { isDeepStrictEqual } from 'node:util'
import { counted } from '../base/quantities.ts'
import { estimateText, measureEach } from '../context/estimate-tokens.ts'
import { describeSizes, type ToolSize } from '../messages/tool-size.ts'
import type { WireTool } from '../messages/tool.ts'
import type { Model, Vendor } from '../provider/model.ts'
import { firstSentence, rowsOf } from '../tools/list-waiting.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import type { Session } from './session.ts'
import type { Toolbox } from './toolbox.ts'

/** By server, `null` for Ostler, and then by the tool's own name. */
export type SizesByServer = ReadonlyMap<string | null, ReadonlyMap<string, ToolSize>>

/** The sizes of the tools in the session's requests. A plain value, replaced when it changes. */
export interface ToolSizes {
  /** Equal if nothing has to be measured again. */
  readonly key: string
  readonly sizes: SizesByServer
  /** For the report of the servers, if schemas wait. It stays as it is while the session has the same tools, so that each use of one does not tell it again. */
  readonly remark: string | undefined
}

/** Keeps the sizes of the tools of a request for the person. True if the report has a new remark about them. */
export async function noteSizes(
  { toolbox, record }: Pick<Session, 'toolbox' | 'record'>,
  { vendor }: Pick<Model, 'vendor'>,
  toolSet: ToolSet,
): Promise<boolean> {
  const before = toolbox.sizes.current
  // Rounded, so that sizes seldom change.
  const ratio = Math.round(record.memory.gauge.ratio * 10) / 10
  const key = JSON.stringify([ratio, ...toolSet.wireTools.map(({ name, deferral }) => [name, deferral])])
  if (key === before?.key) return false
  const sizes = await measureSizes(toolSet, vendor, ratio)
  const waiting = describeWaiting(toolSet, sizes)
  const isSame = before !== undefined && isDeepStrictEqual(namesIn(sizes), namesIn(before.sizes))
  const remark = waiting && isSame ? (before.remark ?? waiting) : waiting
  toolbox.sizes.current = { key, sizes, remark }
  toolbox.changed()
  return remark !== undefined && remark !== before?.remark
}

const namesIn = (sizes: SizesByServer) =>
  new Map([...sizes].map(([server, tools]) => [server, new Set(tools.keys())]))

/** The sizes of these tools in the requests so far, or of their definitions before the first request. */
export async function sizesOf(
  { sizes: { current } }: Pick<Toolbox, 'sizes'>,
  tools: readonly OfferedTool[],
): Promise<SizesByServer> {
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
): Promise<SizesByServer> {
  const tokens = await measureEach(wireTools, vendor)
  const tools = wireTools.flatMap(({ name, deferral }, index) => {
    const entry = find(name)
    const whole = Math.round((tokens[index] ?? 0) * ratio)
    return entry === undefined ? [] : { name, entry, whole, waits: deferral === 'deferred' }
  })
  const rows = rowsOf(tools.filter(({ waits }) => waits))
  const sizes = tools.map(({ name, entry, whole }) => {
    const { server, tool } = entry.tool.ref
    const row = rows.get(name)
    const sent = row === undefined ? whole : Math.min(whole, Math.round(estimateText(row) * ratio))
    return { server, size: { tool, sent, saved: whole - sent } }
  })
  const groups = Map.groupBy(sizes, ({ server }) => server)
  return new Map(
    [...groups].map(([server, members]) => [server, new Map(members.map(({ size }) => [size.tool, size]))]),
  )
}

function describeWaiting({ wireTools }: ToolSet, sizes: SizesByServer): string | undefined {
  const count = wireTools.filter(({ deferral }) => deferral === 'deferred').length
  if (count === 0) return undefined
  const ofServers = [...sizes].flatMap(([server, tools]) => (server === null ? [] : [...tools.values()]))
  return `The schemas of ${counted(count, 'tool')} wait until they are needed. The tools of all servers take ${describeSizes(ofServers)}.`
}
