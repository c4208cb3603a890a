import { createMessageId } from '../base/ids.ts'
import { hashText } from '../base/hash-text.ts'
import { emptyGauge } from '../context/gauge.ts'
import {
  afterBriefingChange,
  toNote,
  type Briefing,
  type ContextChange,
  type Conversation,
} from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import { describeTools, listWaiting, type NamedTool } from '../tools/list-waiting.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { EarlierPlan } from '../tools/plan-schemas.ts'
import { toolKey } from '../tools/select-tools.ts'
import type { SessionMemory } from './session-memory.ts'

/** A conversation in which a model is told about tools. That is stored with it, so a loaded session sends the same tools again. */
export interface Told {
  readonly memory: Pick<SessionMemory, 'briefing' | 'listed' | 'gauge'>
  readonly conversation: Pick<Conversation, 'messages' | 'change'>
}

/** For a conversation that ends with its task. */
export function createTold(model: string): Told {
  const briefing: Briefing = { text: '', servers: {}, told: {}, isStale: false }
  const memory: Told['memory'] = { briefing, listed: undefined, gauge: emptyGauge(model) }
  const change = (made: ContextChange) => void (memory.briefing = afterBriefingChange(memory.briefing, made))
  return { memory, conversation: { messages: [], change } }
}

const toldIn = ({ memory }: Told) => memory.briefing?.told ?? {}

/** The tools of servers that were called with success. */
export function usedTools({ conversation }: Told): readonly string[] {
  return conversation.messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ ref, outcome }) =>
      ref != null && ref.server !== null && outcome === 'success' ? [toolKey(ref)] : [],
    )
}

const planPrefix = 'schemas:'

export function earlierPlan(told: Told, model: string): EarlierPlan {
  const stored = toldIn(told)[planPrefix + model]
  if (stored !== undefined) return { ...(JSON.parse(stored) as Plan), isDecided: true }
  const { listed } = told.memory
  return { full: listed?.model === model ? listed.keys : [], waits: false, isDecided: false }
}

type Plan = Pick<EarlierPlan, 'full' | 'waits'>

/** A plan is stored with the first tool that waits. Until then, a loaded session makes the same one. */
export function keepPlan(told: Told, model: string, plan: Plan, isDecided: boolean): void {
  told.memory.listed = { model, keys: plan.full }
  const change = { [planPrefix + model]: JSON.stringify(plan) }
  if (isDecided && toldIn(told)[planPrefix + model] !== change[planPrefix + model])
    told.conversation.change({ type: 'told', told: change })
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
  told: Told,
  { listed, matching, present, isVendorLoading }: Waiting,
): readonly Message[] {
  const before = toldIn(told)
  const keyOfList = ({ entry }: NamedTool) => listPrefix + (entry.tool.ref.server ?? '')
  const servers = Map.groupBy(listed, keyOfList)
  const presentServers = new Set(present.map(keyOfList))
  const presentNames = new Set(present.map(({ name }) => name))
  const lists = [...new Set([...Object.keys(before), ...servers.keys()])]
    .filter((key) => key.startsWith(listPrefix))
    .map((key) => {
      const known = new Set(before[key]?.split(' ').filter((name) => name !== ''))
      const fresh = (servers.get(key) ?? []).filter(({ name }) => !known.has(name))
      const left = [...known].filter((name) => presentNames.has(name))
      const gone = [...known].filter((name) => !presentNames.has(name))
      return { key, names: [...left, ...fresh.map(({ name }) => name)], fresh, gone }
    })
  const fresh = lists.flatMap((list) => list.fresh)
  const gone = lists.filter((list) => list.gone.length > 0).map((list) => describeGone(list, presentServers))
  const freshMatches = matching.filter((tool) => before[keyOf(tool)] !== hashOf(tool))
  if (fresh.length + freshMatches.length + gone.length === 0) return []
  const now = [
    ...lists.map(({ key, names }) => [key, names.join(' ')] as const),
    ...freshMatches.map((tool) => [keyOf(tool), hashOf(tool)] as const),
  ]
  told.conversation.change({ type: 'told', told: Object.fromEntries(now) })
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
