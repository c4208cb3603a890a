import type { ContentBlock } from '../messages/content.ts'
import { createFindTools } from '../tools/find-tools.ts'
import type { Model } from '../provider/model.ts'
import { limitTools } from '../tools/limit-tools.ts'
import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'
import { findForPrompt, searchableTools, selectTools, toolKey } from '../tools/select-tools.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import type { ToolSearch } from '../tools/tool-search.ts'
import type { StepTools } from './note-offers.ts'
import { toolsOf, type Toolbox } from './toolbox.ts'

/**
 * The tools for each step of a turn: those always offered, those added by the person, and those found by a search. Between steps, tools are
 * only added, and new ones come last, which preserves the vendor's cache. A search also finds tools beyond the vendor's limit.
 */
export function createTurnTools(
  toolbox: Toolbox,
  { toolsMax }: Pick<Model, 'toolsMax'>,
  prompt: string,
  noteOffer?: (step: StepTools) => void,
): () => Promise<ToolSet> {
  const found = new Set<string>()
  let searched = ''
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
    noteOffer?.({ wireNames: toolSet.wireTools.map(({ name }) => name), all, denied, offered, hidden, left })
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

/** True if the configuration denies every call, so that the model need not read of the tool. */
function isDenied({ shared }: Toolbox, { config, home }: OfferedTool): boolean {
  const isSessions = home.type === 'server' && home.owner === 'session'
  return (config.approval?.value ?? (isSessions ? shared.policy.approval : undefined)) === 'deny'
}

/** In the order in which the session first offered them. */
function inOrder(order: Map<string, number>, offered: readonly OfferedTool[]): OfferedTool[] {
  const placeOf = ({ tool }: OfferedTool) => {
    const key = toolKey(tool.ref)
    const place = order.get(key) ?? order.size
    order.set(key, place)
    return place
  }
  return offered
    .map((entry) => ({ entry, place: placeOf(entry) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ entry }) => entry)
}

/** A search in which the history of the session's folder votes. Its code and words are loaded on first use. */
async function searchTools(
  { shared, pastSearches }: Toolbox,
  entries: readonly OfferedTool[],
): Promise<ToolSearch> {
  const [{ createToolSearch }, { createToolVotes }] = await Promise.all([
    import('../tools/tool-search.ts'),
    import('../tools/tool-votes.ts'),
  ])
  const votes = createToolVotes(pastSearches())
  return createToolSearch(
    entries.map(({ tool, home }) => ({
      ...tool,
      serverDescription: home.type === 'server' ? describeServer(home) : undefined,
    })),
    { votes },
  )

  function describeServer({ client, owner }: ServerHome): string | undefined {
    const described = owner === 'agent' ? shared.servers.policies.get(client.name)?.description : undefined
    return described ?? client.instructions
  }
}

export function promptText(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
}
