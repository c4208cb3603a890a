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

interface ToolNews {
  readonly callable: readonly NamedTool[]
  /** The person has switched them off. */
  readonly off: readonly NamedTool[]
  /** Listed by their names. */
  readonly listed: readonly NamedTool[]
  /** Told because they match the prompt: with their schemas, unless the vendor loads those. */
  readonly matching: readonly NamedTool[]
  readonly isVendorLoading: boolean
}

const toolPrefix = 'tool:'
/** The values of such a key besides the hash of a definition that was told. */
const toldAs = { listed: 'listed', off: 'off', unknown: '' } as const

/** Tells the model what is new about its tools, after all that was sent before: which schemas wait, and which tools are gone, off or on again. */
export function tellTools(
  told: Told,
  { callable, off, listed, matching, isVendorLoading }: ToolNews,
): readonly Message[] {
  const before = toldIn(told)
  const stateOf = (tool: NamedTool) => before[keyOf(tool)] ?? toldAs.unknown
  const there = new Set([...callable, ...off].map(keyOf))
  // In conversations of an earlier version, some keys have no server.
  const known = Object.keys(before).filter((key) => key.startsWith(toolPrefix) && key.includes(' '))
  const gone = known.filter(
    (key) => before[key] !== toldAs.unknown && before[key] !== toldAs.off && !there.has(key),
  )
  const switchedOff = off.filter((tool) => stateOf(tool) !== toldAs.off)
  const switchedOn = callable.filter((tool) => stateOf(tool) === toldAs.off)
  const fresh = listed.filter((tool) => stateOf(tool) === toldAs.unknown || stateOf(tool) === toldAs.off)
  const described = matching.filter((tool) => stateOf(tool) !== hashOf(tool))
  const now = [
    ...gone.map((key) => [key, toldAs.unknown] as const),
    ...switchedOff.map((tool) => [keyOf(tool), toldAs.off] as const),
    ...switchedOn.map((tool) => [keyOf(tool), toldAs.unknown] as const),
    ...fresh.map((tool) => [keyOf(tool), toldAs.listed] as const),
    ...described.map((tool) => [keyOf(tool), hashOf(tool)] as const),
  ]
  if (now.length === 0) return []
  // The first request has named no tool yet.
  const isFirst = told.conversation.messages.every(({ role }) => role === 'user')
  told.conversation.change({ type: 'told', told: Object.fromEntries(now) })
  const describe = isVendorLoading ? listWaiting : describeTools
  const texts = [
    fresh.length > 0 && `${aboutList}\n${listWaiting(fresh)}`,
    described.length > 0 && `These tools match the prompt:\n${describe(described)}`,
    ...describeGone(gone, new Set(callable.map(serverOf))),
    !isFirst &&
      switchedOff.length > 0 &&
      `The person has switched off these tools, so they cannot be called: ${namesOf(switchedOff)}.`,
    !isFirst &&
      switchedOn.length > 0 &&
      `The person has switched on these tools, so they can be called: ${namesOf(switchedOn)}.`,
  ].filter((text) => text !== false)
  return texts.length === 0 ? [] : [toNote(createMessageId(), texts.join('\n\n'))]
}

const aboutList =
  'You can also call these tools. Their arguments are not shown yet: search for a tool by its name to read them.'

/** A server without any tool left is named instead of its tools. */
function describeGone(keys: readonly string[], servers: ReadonlySet<string>): readonly string[] {
  const gone = keys.map((key) => {
    // A wire name has no spaces, but a server's name may have some.
    const end = key.lastIndexOf(' ')
    return { server: key.slice(toolPrefix.length, end), name: key.slice(end + 1) }
  })
  const left = gone.filter(({ server }) => servers.has(server)).map(({ name }) => name)
  const whole = new Set(gone.map(({ server }) => server).filter((server) => !servers.has(server)))
  return [
    ...(left.length === 0 ? [] : [`These tools cannot be called now: ${left.join(', ')}.`]),
    ...[...whole].map((server) => `The tools of the server '${server}' cannot be called now.`),
  ]
}

const serverOf = ({ entry }: NamedTool) => entry.tool.ref.server ?? ''

const keyOf = (tool: NamedTool) => `${toolPrefix}${serverOf(tool)} ${tool.name}`

function namesOf(tools: readonly NamedTool[]): string {
  return tools.map(({ entry: { tool } }) => `${tool.ref.tool} of ${tool.ref.server ?? 'Ostler'}`).join(', ')
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
