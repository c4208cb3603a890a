import { createMessageId } from '../base/ids.ts'
import { hashText } from '../base/hash-text.ts'
import { toNote } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import type { Model } from '../provider/model.ts'
import { describeTools, listWaiting, type NamedTool } from '../tools/list-waiting.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { EarlierPlan } from '../tools/plan-schemas.ts'
import { toolKey } from '../tools/select-tools.ts'
import type { SessionMemory } from './session-memory.ts'
import type { SessionRecord } from './session-record.ts'

/** The model of one conversation was told about these tools, and its requests contain these definitions. */
export interface ToldTools {
  readonly told: () => Readonly<Record<string, string>>
  readonly tell: (told: Readonly<Record<string, string>>) => void
  /** The definitions of the last request, and its model. */
  listed: SessionMemory['listed']
  /** The tools of servers that were called with success. */
  readonly used: () => ReadonlySet<string>
  /** The model's window, in estimated tokens. */
  readonly windowOf: (model: Model) => number
}

/** For a conversation that ends with its task. */
export function createToldTools(): ToldTools {
  let told: Readonly<Record<string, string>> = {}
  return {
    told: () => told,
    tell: (more) => (told = { ...told, ...more }),
    listed: undefined,
    used: () => new Set(),
    windowOf: ({ contextSize }) => contextSize,
  }
}

/** It is stored with the conversation, so a loaded session sends the same tools again. */
export function toldToolsOf({
  memory,
  conversation,
}: Pick<SessionRecord, 'memory' | 'conversation'>): ToldTools {
  return {
    told: () => memory.briefing?.told ?? {},
    tell: (told) => conversation.change({ type: 'told', told }),
    get listed() {
      return memory.listed
    },
    set listed(listed) {
      memory.listed = listed
    },
    used: () => new Set(conversation.messages.flatMap(calledTools)),
    windowOf: ({ contextSize }) => Math.min(contextSize, memory.gauge.sizeMax) / memory.gauge.ratio,
  }
}

function calledTools(message: Message): string[] {
  if (message.role !== 'tool') return []
  return message.results.flatMap(({ ref, outcome }) =>
    ref != null && ref.server !== null && outcome === 'success' ? [toolKey(ref)] : [],
  )
}

const planPrefix = 'schemas:'

export function earlierPlan(tools: ToldTools, { id }: Model): EarlierPlan {
  const stored = tools.told()[planPrefix + id]
  if (stored !== undefined) return { ...(JSON.parse(stored) as Plan), isDecided: true }
  return { full: tools.listed?.model === id ? tools.listed.keys : [], waits: false, isDecided: false }
}

type Plan = Pick<EarlierPlan, 'full' | 'waits'>

/** A plan is stored with the first tool that waits. Until then, a loaded session makes the same one. */
export function keepPlan(tools: ToldTools, { id }: Model, plan: Plan, isDecided: boolean): void {
  tools.listed = { model: id, keys: plan.full }
  const text = JSON.stringify(plan)
  if (isDecided && tools.told()[planPrefix + id] !== text) tools.tell({ [planPrefix + id]: text })
}

interface Waiting {
  /** Listed by their names. */
  readonly listed: readonly NamedTool[]
  /** Told because they match the prompt: with their schemas, unless the vendor loads those. */
  readonly matching: readonly NamedTool[]
  /** All tools that can be called, and those that are switched off, which the model is told otherwise. */
  readonly present: readonly NamedTool[]
  readonly isVendorLoading: boolean
}

const listPrefix = 'tools:'
const toolPrefix = 'tool:'

/** Tells the model about tools that it does not know yet, after all that was sent before. */
export function tellWaiting(
  tools: ToldTools,
  { listed, matching, present, isVendorLoading }: Waiting,
): readonly Message[] {
  const told = tools.told()
  const keyOfList = ({ entry }: NamedTool) => listPrefix + (entry.tool.ref.server ?? '')
  const servers = Map.groupBy(listed, keyOfList)
  const presentServers = new Set(present.map(keyOfList))
  const presentNames = new Set(present.map(({ name }) => name))
  const lists = [...new Set([...Object.keys(told), ...servers.keys()])]
    .filter((key) => key.startsWith(listPrefix))
    .map((key) => {
      const known = new Set(told[key]?.split(' ').filter((name) => name !== ''))
      const fresh = (servers.get(key) ?? []).filter(({ name }) => !known.has(name))
      const left = [...known].filter((name) => presentNames.has(name))
      const gone = [...known].filter((name) => !presentNames.has(name))
      return { key, names: [...left, ...fresh.map(({ name }) => name)], fresh, gone }
    })
  const fresh = lists.flatMap((list) => list.fresh)
  const gone = lists.filter((list) => list.gone.length > 0).map((list) => describeGone(list, presentServers))
  const freshMatches = matching.filter((tool) => told[keyOf(tool)] !== hashOf(tool))
  if (fresh.length + freshMatches.length + gone.length === 0) return []
  tools.tell({
    ...Object.fromEntries(lists.map(({ key, names }) => [key, names.join(' ')])),
    ...Object.fromEntries(freshMatches.map((tool) => [keyOf(tool), hashOf(tool)])),
  })
  const describe = isVendorLoading ? listWaiting : describeTools
  const texts = [
    ...(fresh.length === 0 ? [] : [`${aboutList}\n${listWaiting(fresh)}`]),
    ...(freshMatches.length === 0 ? [] : [`These tools match the prompt:\n${describe(freshMatches)}`]),
    ...gone,
  ]
  return [toNote(createMessageId(), texts.join('\n\n'))]
}

function describeGone(
  { key, gone }: { readonly key: string; readonly gone: readonly string[] },
  presentServers: ReadonlySet<string>,
): string {
  return presentServers.has(key)
    ? `These tools cannot be called now: ${gone.join(', ')}.`
    : `The tools of the server '${key.slice(listPrefix.length)}' cannot be called now.`
}

const aboutList =
  'You can also call these tools. Their arguments are not shown yet: search for a tool by its name to read them.'

function keyOf({ name }: NamedTool): string {
  return toolPrefix + name
}

function hashOf({ entry: { tool } }: NamedTool): string {
  return hashText(JSON.stringify([tool.description, tool.inputSchema]))
}

/** The rest of a longer prompt is probably data. */
const searchedCharsMax = 16_000

/** The tools that a person wrote the names of: alone if a name can mean nothing else, or else beside that of its server. */
export function namedIn(prompt: string, tools: readonly OfferedTool[]): ReadonlySet<string> {
  const words = new Set(
    prompt
      .slice(0, searchedCharsMax)
      .split(/[^\w:.-]+/)
      .map((word) => word.replace(/[.:]+$/, '')),
  )
  const isNamed = ({ tool: { ref } }: OfferedTool) =>
    words.has(toolKey(ref)) ||
    words.has(`${ref.server}__${ref.tool}`) ||
    (words.has(ref.tool) && (/[^a-z]/.test(ref.tool) || words.has(String(ref.server))))
  return new Set(tools.filter(isNamed).map(({ tool }) => toolKey(tool.ref)))
}
