import { createFindTools } from '../tools/find-tools.ts'
import type { Model } from '../provider/model.ts'
import { limitTools, findForPrompt, searchableTools, selectTools, toolKey } from '../tools/select-tools.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import type { ToolSearch } from '../tools/tool-search.ts'
import { toolsOf, admittedBy, clientsOf, enabledClients, policyOf, type Toolbox } from './toolbox.ts'
import { toToolOffer, type LeftReason } from '../messages/tool-offer.ts'
import { shadowedServers } from '../servers/merge-servers.ts'
import type { SessionRecord } from './session-record.ts'

/**
 * Between steps, tools are only added, and new ones come last, which preserves the vendor's cache. A search also finds tools beyond the
 * vendor's limit. With a record, each new offer is stored.
 */
export function createTurnTools(
  toolbox: Toolbox,
  { toolsMax }: Pick<Model, 'toolsMax'>,
  prompt: string,
  record?: SessionRecord,
): () => Promise<ToolSet> {
  const found = new Set<string>()
  let searched = ''
  let step = 0
  const searchAmong = (entries: readonly OfferedTool[]) => searchTools(toolbox, entries)
  return async () => {
    const { denied = [], all = [] } = Object.groupBy(toolsOf(toolbox), (entry) =>
      isDenied(toolbox, entry) ? 'denied' : 'all',
    )
    const searchable = searchableTools(all)
    const keys = JSON.stringify(searchable.map(({ tool }) => toolKey(tool.ref)))
    if (keys !== searched) {
      searched = keys
      for (const key of await findForPrompt(searchable, searchAmong, prompt, toolbox.shared.budget))
        found.add(key)
    }
    const { offered, hidden } = selectTools(all, { added: toolbox.added, found })
    const { kept, left } = limitTools([...offered, ...toolbox.results.tools], found, toolsMax)
    const others = [...hidden, ...left]
    const finder: OfferedTool[] =
      others.length === 0 ? [] : [createFindTools({ hidden: others, offered: kept }, searchAmong, addFound)]
    const toolSet = createToolSet(inOrder(toolbox.order, [...finder, ...kept]), denied)
    const wireNames = toolSet.wireTools.map(({ name }) => name)
    if (record !== undefined)
      storeOffer(record, toolbox, ++step, wireNames, { all, denied, offered, hidden, left })
    return toolSet
  }

  /** The newest comes last, and stays if there is no room for all. */
  function addFound(keys: readonly string[]): void {
    for (const key of keys) {
      found.delete(key)
      found.add(key)
    }
  }
}

/** True if the configuration or the person denies every call, so that the model need not know the tool. */
export function isDenied({ shared, off }: Pick<Toolbox, 'shared' | 'off'>, entry: OfferedTool): boolean {
  const { config, home } = entry
  const isSessions = home.type === 'server' && home.owner === 'session'
  return (
    (config.approval?.value ?? (isSessions ? shared.policy.approval : undefined)) === 'deny' || off.has(entry)
  )
}

/** In the order in which the session first offered them. */
function inOrder(order: Map<string, number>, offered: readonly OfferedTool[]): OfferedTool[] {
  const placeOf = ({ tool }: OfferedTool) => order.get(toolKey(tool.ref)) ?? order.size
  for (const entry of offered) order.set(toolKey(entry.tool.ref), placeOf(entry))
  return offered.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Past searches in the session's folder vote. */
export async function searchTools(toolbox: Toolbox, entries: readonly OfferedTool[]): Promise<ToolSearch> {
  const [{ createToolSearch }, { createToolVotes }] = await Promise.all([
    import('../tools/tool-search.ts'),
    import('../tools/tool-votes.ts'),
  ])
  const votes = createToolVotes(toolbox.pastSearches())
  return createToolSearch(
    entries.map(({ tool, home }) => ({
      ...tool,
      serverDescription:
        home.type === 'server'
          ? (policyOf(toolbox, home)?.description ?? home.client.instructions)
          : undefined,
    })),
    { votes },
  )
}

interface StepTools {
  readonly all: readonly OfferedTool[]
  readonly denied: readonly OfferedTool[]
  readonly offered: readonly OfferedTool[]
  /** Tools that only the search finds. */
  readonly hidden: readonly OfferedTool[]
  /** Tools beyond the limit of the model's vendor. */
  readonly left: readonly OfferedTool[]
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
  { all, denied, offered, hidden, left }: StepTools,
): Partial<Record<LeftReason, readonly string[]>> {
  const shown = new Set([...offered, ...hidden])
  const keys = (tools: readonly OfferedTool[]) => tools.map(({ tool }) => toolKey(tool.ref))
  const clients = [...enabledClients(toolbox).values()]
  return {
    search: keys(hidden),
    limit: keys(left),
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
