import { measureEach } from '../context/estimate-tokens.ts'
import type { Model } from '../provider/model.ts'
import { createFindTools } from '../tools/find-tools.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { SchemaMode } from '../policy/tool-config.ts'
import { exceedsShare, planSchemas, type EarlierPlan, type PlannedTool } from '../tools/plan-schemas.ts'
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
  createToldTools,
  earlierPlan,
  keepPlan,
  namedIn,
  tellWaiting,
  toldToolsOf,
  type ToldTools,
} from './waiting-tools.ts'

/** The share of the window that the definitions of session tools may take before their schemas wait. */
const schemaShareDefault = 0.1

/** The tools of a turn, and of the tasks that it delegates: those have a conversation of their own, and store no offers. */
export function createTurnTools(
  toolbox: Toolbox,
  model: Model,
  prompt: string,
  record: SessionRecord,
): Pick<Turn['tools'], 'next' | 'nextFor'> {
  return {
    next: createStepTools(toolbox, model, prompt, toldToolsOf(record), record),
    nextFor: (task) => createStepTools(toolbox, model, task, createToldTools()),
  }
}

/**
 * The tools of each step. Between the requests of a conversation, definitions are only added, and new ones come last, which preserves the
 * vendor's cache. Only the list of a small local model changes with what is found.
 */
function createStepTools(
  toolbox: Toolbox,
  model: Model,
  prompt: string,
  told: ToldTools,
  record?: SessionRecord,
): () => Promise<ToolSet> {
  const { shared } = toolbox
  const isInList = model.deferral === 'list'
  const createSearch = (entries: readonly OfferedTool[]) => searchTools(toolbox, entries)
  const found = new Set<string>()
  let searchedKeys = ''
  let wanted: ReadonlySet<string> | undefined
  let step = 0

  /** The newest comes last, and stays if there is no room for all. */
  function addFound(keys: readonly string[]): void {
    for (const key of keys) {
      found.delete(key)
      found.add(key)
    }
  }

  async function searchForPrompt(entries: readonly OfferedTool[]): Promise<void> {
    const keys = JSON.stringify(entries.map(keyOf))
    if (keys === searchedKeys || entries.length === 0) return
    searchedKeys = keys
    const { search } = await createSearch(entries)
    addFound(search(prompt, shared.budget).map(({ ref }) => toolKey(ref)))
  }

  return async () => {
    const { denied = [], all = [] } = Object.groupBy(toolsOf(toolbox), (entry) =>
      isDenied(toolbox, entry) ? 'denied' : 'all',
    )
    const tools = toCallable(toolbox, all)
    const { callable, hidden } = tools
    const earlier = isInList ? nothingSent : earlierPlan(told, model)
    const planned = await toPlanned(toolbox, model, tools, earlier)
    const limits = {
      tokensMax: (shared.policy.schemaShare ?? schemaShareDefault) * told.windowOf(model),
      countMax: model.toolsMax,
    }
    const waits = earlier.waits || exceedsShare(planned, limits)
    await searchForPrompt(
      callable.filter(
        (entry, index) => hidden.has(entry) || (isInList && waits && planned[index]?.schemas === 'auto'),
      ),
    )
    const full = planSchemas(planned, limits, earlier, (key) => {
      wanted ??= new Set([...namedIn(prompt, callable), ...told.used(), ...toolbox.usualTools()])
      return wanted.has(key) || (isInList && found.has(key))
    })
    const { sent = [], waiting = [] } = Object.groupBy(callable, (entry) =>
      full.has(keyOf(entry)) ? 'sent' : 'waiting',
    )
    // Ostler's own tools never wait.
    const ofServers = sent.filter(({ home }) => home.type === 'server').map(keyOf)
    // Also those that cannot be called now: they may come back.
    const kept = [...new Set([...earlier.full, ...ofServers])]
    if (!isInList) keepPlan(told, model, { full: kept, waits }, waiting.length > 0)

    const searched = { hidden: waiting, offered: sent, nameOf: (entry: OfferedTool) => toolSet.nameOf(entry) }
    const finder = createFindTools(searched, createSearch, isInList ? addFound : undefined)
    const own = waiting.length === 0 ? [] : isInList ? [finder] : [finder, useTool]
    const inList = isInList
      ? [...inOrder(toolbox.order, [...own, ...sent]), ...waiting]
      : inOrder(toolbox.order, [...own, ...callable])
    const roles = new Map<OfferedTool, WireTool['deferral']>([
      [finder, 'find'] as const,
      [useTool, 'call'] as const,
    ])
    for (const entry of waiting) roles.set(entry, 'deferred')
    const toolSet = createToolSet(inList, {
      denied,
      deferralOf: (entry) => roles.get(entry),
      notes(nameOf) {
        const toNamed = (entry: OfferedTool) => ({ entry, name: nameOf(entry) })
        const named = namedIn(prompt, waiting)
        const isMatch = (key: string) => !isInList && (found.has(key) || named.has(key))
        return tellWaiting(told, {
          listed: waiting.filter((entry) => !hidden.has(entry)).map(toNamed),
          matching: waiting.filter((entry) => isMatch(keyOf(entry))).map(toNamed),
          servers: new Set(callable.map(({ tool }) => tool.ref.server)),
          isVendorLoading: model.deferral === 'vendor',
        })
      },
    })
    if (record !== undefined) {
      const wireNames = toolSet.wireTools
        .filter(({ deferral }) => deferral !== 'deferred')
        .map(({ name }) => name)
      const unlimited = planned.filter(({ schemas }) => schemas === 'full' || (schemas === 'auto' && !waits))
      const isLimited = new Set(unlimited.map(({ key }) => key))
      storeOffer(record, toolbox, ++step, wireNames, { all, denied, callable, waiting, isLimited })
    }
    return toolSet
  }
}

function keyOf({ tool }: OfferedTool): string {
  return toolKey(tool.ref)
}

const nothingSent: EarlierPlan = { full: [], waits: false, isDecided: false }

/** Only the sizes of `auto` tools are needed, and only until schemas wait. */
async function toPlanned(
  toolbox: Toolbox,
  { vendor }: Model,
  { callable, hidden }: CallableTools,
  { waits }: EarlierPlan,
): Promise<readonly PlannedTool[]> {
  const modes = callable.map((entry) => (hidden.has(entry) ? 'deferred' : schemasOf(toolbox, entry)))
  const measured = callable.filter((_, index) => !waits && modes[index] === 'auto')
  const wireTools = measured.map((entry): WireTool => ({ ...entry.tool, name: keyOf(entry) }))
  const sizes = await measureEach(wireTools, vendor)
  const tokensOf = new Map(measured.map((entry, index) => [entry, sizes[index]]))
  return callable.map((entry, index) => ({
    key: keyOf(entry),
    tokens: tokensOf.get(entry) ?? 0,
    schemas: modes[index] ?? 'full',
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
  const placeOf = ({ tool }: OfferedTool) => order.get(toolKey(tool.ref)) ?? order.size
  for (const entry of offered) order.set(toolKey(entry.tool.ref), placeOf(entry))
  return offered.toSorted((a, b) => placeOf(a) - placeOf(b))
}

interface StepTools {
  readonly all: readonly OfferedTool[]
  readonly denied: readonly OfferedTool[]
  readonly callable: readonly OfferedTool[]
  /** Tools whose schemas wait. */
  readonly waiting: readonly OfferedTool[]
  /** The keys of tools that only wait because the model's vendor accepts no more. */
  readonly isLimited: ReadonlySet<string>
}

/** Stores what the model is offered when it changes. */
function storeOffer(
  { id, state, settings, memory }: SessionRecord,
  toolbox: Toolbox,
  step: number,
  wireNames: readonly string[],
  tools: StepTools,
): void {
  const at = { turn: settings.current.turns, step }
  const offer = toToolOffer(at, wireNames, leftOut(toolbox, tools))
  const key = JSON.stringify({ ...offer, turn: 0, step: 0 })
  if (key === memory.offer) return
  memory.offer = key
  state.sessions.offers.add(id, offer)
}

function leftOut(
  toolbox: Toolbox,
  { all, denied, callable, waiting, isLimited }: StepTools,
): Partial<Record<LeftReason, readonly string[]>> {
  const shown = new Set(callable)
  const keys = (tools: readonly OfferedTool[]) => tools.map(keyOf)
  const clients = [...enabledClients(toolbox).values()]
  return {
    search: keys(waiting.filter((entry) => !isLimited.has(keyOf(entry)))),
    limit: keys(waiting.filter((entry) => isLimited.has(keyOf(entry)))),
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
