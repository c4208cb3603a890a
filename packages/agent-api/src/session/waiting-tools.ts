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
  if (stored !== undefined) return { full: new Set(JSON.parse(stored) as string[]), waits: true }
  return { full: new Set(tools.listed?.model === id ? tools.listed.keys : []), waits: false }
}

/** A plan is stored once schemas wait. Until then, a loaded session makes the same one. */
export function keepPlan(tools: ToldTools, { id }: Model, full: readonly string[], waits: boolean): void {
  tools.listed = { model: id, keys: full }
  const plan = JSON.stringify(full)
  if (waits && tools.told()[planPrefix + id] !== plan) tools.tell({ [planPrefix + id]: plan })
}

interface Waiting {
  /** Listed by their names. */
  readonly listed: readonly NamedTool[]
  /** Told because they match the prompt: with their schemas, unless the vendor loads those. */
  readonly matching: readonly NamedTool[]
  readonly isVendorLoading: boolean
}

const listPrefix = 'tools:'
const toolPrefix = 'tool:'

/** Notes about the tools that the model does not know yet. They come after all that was sent before, and stay as they are. */
export function tellWaiting(
  tools: ToldTools,
  { listed, matching, isVendorLoading }: Waiting,
): readonly Message[] {
  const told = tools.told()
  const groups = [...Map.groupBy(listed, ({ entry }) => entry.tool.ref.server ?? '')]
  const lists = groups.map(([server, members]) => [listPrefix + server, hashOfAll(members)] as const)
  const now = new Set(lists.map(([key]) => key))
  const gone = Object.keys(told).filter(
    (key) => key.startsWith(listPrefix) && told[key] !== '' && !now.has(key),
  )
  const freshLists = new Set(lists.filter(([key, hash]) => told[key] !== hash).map(([key]) => key))
  const freshTools = matching.filter((tool) => told[keyOf(tool)] !== hashOfAll([tool]))
  const news = Object.fromEntries([
    ...lists.filter(([key]) => freshLists.has(key)),
    ...gone.map((key) => [key, '']),
    ...freshTools.map((tool) => [keyOf(tool), hashOfAll([tool])]),
  ])
  if (Object.keys(news).length === 0) return []
  tools.tell(news)
  const freshMembers = groups.flatMap(([server, members]) =>
    freshLists.has(listPrefix + server) ? members : [],
  )
  const describe = isVendorLoading ? listWaiting : describeTools
  const texts = [
    ...(freshMembers.length === 0 ? [] : [`${aboutList}\n${listWaiting(freshMembers)}`]),
    ...(freshTools.length === 0 ? [] : [`These tools match the prompt:\n${describe(freshTools)}`]),
    ...gone.map((key) => `The tools of the server '${key.slice(listPrefix.length)}' cannot be called now.`),
  ]
  return [toNote(createMessageId(), texts.join('\n\n'))]
}

const aboutList =
  'You can also call these tools. Their arguments are not shown yet: search for a tool by its name to read them.'

function keyOf({ entry }: NamedTool): string {
  return toolPrefix + toolKey(entry.tool.ref)
}

function hashOfAll(members: readonly NamedTool[]): string {
  return hashText(members.map(({ name, entry }) => `${name} ${entry.tool.description}`).join('\n'))
}

/** The tools that a person wrote the names of: alone if a name can mean nothing else, or else beside that of its server. */
export function namedIn(prompt: string, tools: readonly OfferedTool[]): ReadonlySet<string> {
  const words = new Set(prompt.split(/[^\w:.-]+/).map((word) => word.replace(/[.:]+$/, '')))
  const isNamed = ({ tool: { ref } }: OfferedTool) =>
    words.has(toolKey(ref)) ||
    words.has(`${ref.server}__${ref.tool}`) ||
    (words.has(ref.tool) && (/[^a-z]/.test(ref.tool) || words.has(String(ref.server))))
  return new Set(tools.filter(isNamed).map(({ tool }) => toolKey(tool.ref)))
}
