import { measureEach } from '../context/estimate-tokens.ts'
import type { Model } from '../provider/model.ts'
import { createFindTools } from '../tools/find-tools.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { SchemaMode } from '../policy/tool-config.ts'
import {
  exceedsShare,
  isDue,
  planSchemas,
  type EarlierPlan,
  type PlannedTool,
} from '../tools/plan-schemas.ts'
import { toolKey } from '../tools/select-tools.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import { useTool } from '../tools/use-tool.ts'
import { searchTools } from './search-tools.ts'
import {
  toolsOf,
  admittedBy,
  clientsOf,
  enabledClients,
  isDenied,
  isHeld,
  policyOf,
  toCallable,
  type CallableTools,
  type Toolbox,
} from './toolbox.ts'
import { toToolOffer, type LeftReason } from '../messages/tool-offer.ts'
import type { WireTool } from '../messages/tool.ts'
import { shadowedServers } from '../servers/merge-servers.ts'
import type { SessionRecord } from './session-record.ts'
import type { Turn } from '../turn/turn.ts'
import {
  createTold,
  earlierPlan,
  keepPlan,
  namedIn,
  tellTools,
  usedTools,
  type Told,
} from './waiting-tools.ts'

/** The share of the window that the definitions of session tools may take before their schemas wait. */
const schemaShareDefault = 0.1

/** A prompt or a delegated task, and the conversation that its model reads. */
interface Asked {
  readonly toolbox: Toolbox
  readonly model: Model
  readonly prompt: string
  readonly told: Told
}

/** The tools of a turn, and of the tasks that it delegates: those have a conversation of their own, and store no offers. */
export function createTurnTools(
  toolbox: Toolbox,
  model: Model,
  prompt: string,
  record: SessionRecord,
): Pick<Turn['tools'], 'next' | 'nextFor'> {
  return {
    next: createStepTools({ toolbox, model, prompt, told: record }, record),
    nextFor: (task) => createStepTools({ toolbox, model, prompt: task, told: createTold(model.id) }),
  }
}

/**
 * The tools of each step. Between the requests of a conversation, definitions are only added, and new ones come last, which preserves the
 * vendor's cache. Only the list of a small local model changes with what is found.
 */
function createStepTools(asked: Asked, record?: SessionRecord): () => Promise<ToolSet> {
  const found = createFound(asked)
  let wanted: ReadonlySet<string> | undefined
  let step = 0
  const wantedOf = (callable: readonly OfferedTool[]) =>
    (wanted ??= new Set([
      ...namedIn(asked.prompt, callable),
      ...usedTools(asked.told),
      ...asked.toolbox.usualTools(),
    ]))
  return async () => {
    const tools = await planStep(asked, found, wantedOf)
    const toolSet = toToolSet(asked, found, tools)
    if (record !== undefined) storeOffer(record, asked, ++step, toolSet, tools)
    return toolSet
  }
}

type Found = ReturnType<typeof createFound>

/** The tools that searches have found, for the prompt and by the model. */
function createFound({ toolbox, prompt }: Asked) {
  const keys = new Set<string>()
  let searched = ''
  function add(more: readonly string[]): void {
    for (const key of more) keys.add(key)
  }
  return {
    keys: keys as ReadonlySet<string>,
    add,
    /** Searches for the prompt if there are other tools than before. */
    async searchForPrompt(entries: readonly OfferedTool[]): Promise<void> {
      const among = JSON.stringify(entries.map(keyOf))
      if (among === searched || entries.length === 0) return
      searched = among
      const { search } = await searchTools(toolbox, entries)
      add(search(prompt, toolbox.shared.budget).map(({ ref }) => toolKey(ref)))
    },
  }
}

interface StepTools extends CallableTools {
  readonly all: readonly OfferedTool[]
  readonly denied: readonly OfferedTool[]
  readonly sent: readonly OfferedTool[]
  /** Tools whose schemas wait. */
  readonly waiting: readonly OfferedTool[]
  /** Tools that only wait because the model's vendor accepts no more. */
  readonly limited: ReadonlySet<OfferedTool>
}

/** Decides which schemas wait in the next request, and keeps that for later ones. */
async function planStep(
  { toolbox, model, told }: Asked,
  found: Found,
  wantedOf: (callable: readonly OfferedTool[]) => ReadonlySet<string>,
): Promise<StepTools> {
  const isInList = model.deferral === 'list'
  const wasSent = (entry: OfferedTool) =>
    toolbox.order.has(keyOf(entry)) ||
    (toolbox.order.size === 0 && told.conversation.messages.some(({ role }) => role === 'assistant'))
  const { denied = [], all = [] } = Object.groupBy(toolsOf(toolbox), (entry) =>
    isDenied(toolbox, entry) || (isHeld(toolbox, entry) && !wasSent(entry)) ? 'denied' : 'all',
  )
  const { callable, hidden } = toCallable(toolbox, all)
  const earlier = isInList ? nothingSent : earlierPlan(told, model.id)
  const planned = await toPlanned(toolbox, model, { callable, hidden }, earlier)
  const { gauge } = told.memory
  const share = toolbox.shared.policy.schemaShare ?? schemaShareDefault
  const limits = {
    tokensMax: (share * Math.min(model.contextSize, gauge.sizeMax)) / gauge.ratio,
    countMax: model.toolsMax,
  }
  const waits = earlier.waits || exceedsShare(planned, limits)
  const isSearched = ({ entry, schemas }: Planned) =>
    hidden.has(entry) || (isInList && waits && schemas === 'auto')
  await found.searchForPrompt(planned.filter(isSearched).map(toEntry))
  const full = planSchemas(
    planned,
    limits,
    earlier,
    (key) => wantedOf(callable).has(key) || (isInList && found.keys.has(key)),
  )
  const { sent = [], waiting = [] } = Object.groupBy(planned, ({ key }) =>
    full.has(key) ? 'sent' : 'waiting',
  )
  if (!isInList) {
    // Ostler's own tools never wait. Those that cannot be called now may come back.
    const ofServers = sent.filter(({ entry }) => entry.home.type === 'server').map(({ key }) => key)
    const kept = [...new Set([...earlier.full, ...ofServers])]
    keepPlan(told, model.id, { full: kept, waits }, waiting.length > 0)
  }
  return {
    all,
    denied,
    callable,
    hidden,
    sent: sent.map(toEntry),
    waiting: waiting.map(toEntry),
    limited: new Set(waiting.filter(({ schemas }) => isDue(schemas, waits)).map(toEntry)),
  }
}

/** The names of all tools, in the order of the list, and what the model is told about those whose schemas wait. */
function toToolSet(
  { toolbox, model, prompt, told }: Asked,
  found: Found,
  { denied, callable, hidden, sent, waiting }: StepTools,
): ToolSet {
  const isInList = model.deferral === 'list'
  const waits = new Set(waiting)
  const nameOf = (entry: OfferedTool) => toolSet.nameOf(entry)
  const toNamed = (entry: OfferedTool) => ({ entry, name: nameOf(entry) })
  const finder = createFindTools(
    { hidden: waiting, offered: sent, nameOf },
    (among) => searchTools(toolbox, among),
    isInList ? found.add : undefined,
  )
  const own = waiting.length === 0 ? [] : isInList ? [finder] : [finder, useTool]
  const ordered = isInList
    ? [...inOrder(toolbox.order, [...own, ...sent]), ...waiting]
    : inOrder(toolbox.order, [...own, ...callable])
  const toolSet = createToolSet(ordered, {
    denied,
    deferralOf: (entry) =>
      waits.has(entry) ? 'deferred' : entry === finder ? 'find' : entry === useTool ? 'call' : undefined,
  })
  return {
    ...toolSet,
    notes() {
      const named = namedIn(prompt, waiting)
      const isMatch = (key: string) => !isInList && (found.keys.has(key) || named.has(key))
      return tellTools(told, {
        callable: callable.map(toNamed),
        off: denied.filter((entry) => toolbox.off.has(entry)).map(toNamed),
        listed: waiting.filter((entry) => !hidden.has(entry)).map(toNamed),
        matching: waiting.filter((entry) => isMatch(keyOf(entry))).map(toNamed),
        isVendorLoading: model.deferral === 'vendor',
      })
    },
  }
}

function keyOf({ tool }: OfferedTool): string {
  return toolKey(tool.ref)
}

function toEntry({ entry }: Planned): OfferedTool {
  return entry
}

const nothingSent: EarlierPlan = { full: [], waits: false, isDecided: false }

interface Planned extends PlannedTool {
  readonly entry: OfferedTool
}

async function toPlanned(
  toolbox: Toolbox,
  { vendor }: Model,
  { callable, hidden }: CallableTools,
  { waits }: EarlierPlan,
): Promise<readonly Planned[]> {
  const wireTools = callable.map((entry): WireTool => ({ ...entry.tool, name: keyOf(entry) }))
  // Once schemas wait, sizes decide nothing.
  const tokens = waits ? [] : await measureEach(wireTools, vendor)
  return callable.map((entry, index) => ({
    entry,
    key: keyOf(entry),
    tokens: tokens[index] ?? 0,
    schemas: hidden.has(entry) ? 'deferred' : schemasOf(toolbox, entry),
    rank: entry.home.type === 'local' ? 0 : entry.home.owner === 'session' ? 2 : 3,
  }))
}

/** The agent's own tools are always sent in full, unless the agent file says otherwise. */
function schemasOf(toolbox: Toolbox, { home }: OfferedTool): SchemaMode {
  if (home.type === 'local') return 'full'
  if (home.owner === 'agent') return policyOf(toolbox, home)?.schemas ?? 'full'
  const { schemas = 'auto' } = toolbox.shared.policy
  return typeof schemas === 'string' ? schemas : (schemas[home.client.name] ?? schemas['*'] ?? 'auto')
}

/** In the order in which the session first offered them. */
function inOrder(order: Map<string, number>, offered: readonly OfferedTool[]): OfferedTool[] {
  const placeOf = (entry: OfferedTool) => order.get(keyOf(entry)) ?? order.size
  for (const entry of offered) order.set(keyOf(entry), placeOf(entry))
  return offered.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Stores what the model is offered when it changes. */
function storeOffer(
  { id, state, settings, memory }: SessionRecord,
  { toolbox, model }: Asked,
  step: number,
  { wireTools }: ToolSet,
  tools: StepTools,
): void {
  const at = { turn: settings.current.turns, step }
  const isVendors = model.deferral === 'vendor' && !toolbox.searchRefusedBy.has(model.id)
  // The vendor's search takes the place of Ostler's own tools.
  const isRead = ({ deferral }: WireTool) => deferral === undefined || (deferral !== 'deferred' && !isVendors)
  const read = wireTools.filter(isRead).map(({ name }) => name)
  const offer = toToolOffer(at, read, leftOut(toolbox, tools))
  const key = JSON.stringify({ ...offer, turn: 0, step: 0 })
  if (key === memory.offer) return
  memory.offer = key
  state.sessions.offers.add(id, offer)
}

function leftOut(
  toolbox: Toolbox,
  { all, denied, callable, waiting, limited }: StepTools,
): Partial<Record<LeftReason, readonly string[]>> {
  const shown = new Set(callable)
  const keys = (tools: readonly OfferedTool[]) => tools.map(keyOf)
  const clients = [...enabledClients(toolbox).values()]
  return {
    search: keys(waiting.filter((entry) => !limited.has(entry))),
    limit: keys([...limited]),
    denied: keys(denied.filter((entry) => !toolbox.off.has(entry))),
    off: keys(denied.filter((entry) => toolbox.off.has(entry))),
    manual: keys(all.filter((entry) => !shown.has(entry))),
    strict: clients.flatMap(({ name, tools }) => {
      const known = new Set(admittedBy(toolbox, name))
      return tools.filter((tool) => !known.has(tool.name)).map((tool) => `${name}:${tool.name}`)
    }),
    disabled: [...clientsOf(toolbox).keys()].filter((name) => toolbox.disabled.has(name)),
    overridden: shadowedServers(toolbox.shared.servers.clients, toolbox.servers.clients),
    unconnected: clients
      .filter(({ status, tools }) => status.state !== 'connected' && tools.length === 0)
      .map(({ name }) => name),
  }
}
