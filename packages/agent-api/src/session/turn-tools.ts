import type { ContentBlock } from '../messages/content.ts'
import { createFindTools } from '../tools/find-tools.ts'
import type { Model } from '../provider/model.ts'
import { limitTools } from '../tools/limit-tools.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { findForPrompt, searchableTools, selectTools, toolKey } from '../tools/select-tools.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import type { StepTools } from './note-offers.ts'
import { searchTools } from './search-tools.ts'
import { toolsOf, type SessionState } from './session-state.ts'

/**
 * The tools for each step of a turn: those always offered, those added by the person, and those found by a search. Between steps, tools are
 * only added, and new ones come last, which preserves the vendor's cache. A search also finds tools beyond the vendor's limit.
 */
export function createTurnTools(
  state: SessionState,
  { toolsMax }: Pick<Model, 'toolsMax'>,
  prompt: string,
  noteOffer?: (step: StepTools) => void,
): () => Promise<ToolSet> {
  const found = new Set<string>()
  let searched = ''
  const searchAmong = (entries: readonly OfferedTool[]) => searchTools(state, entries)
  return async () => {
    const { denied = [], all = [] } = Object.groupBy(toolsOf(state), (entry) => (isDenied(state, entry) ? 'denied' : 'all'))
    const searchable = searchableTools(all)
    const keys = JSON.stringify(searchable.map(({ tool }) => toolKey(tool.ref)))
    if (keys !== searched) {
      searched = keys
      for (const key of await findForPrompt(searchable, searchAmong, prompt, state.agent.toolBudget)) found.add(key)
    }
    const { offered, hidden } = selectTools(all, { added: state.addedTools, found })
    const { kept, left } = limitTools([...offered, ...state.results.tools], found, toolsMax)
    const others = [...hidden, ...left]
    const finder: OfferedTool[] = others.length === 0 ? [] : [createFindTools({ hidden: others, offered: kept }, searchAmong, addFound)]
    const toolSet = createToolSet(inOrder(state.toolOrder, [...finder, ...kept]), denied)
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
function isDenied({ agent }: SessionState, { config, home }: OfferedTool): boolean {
  const isSessions = home.type === 'server' && home.owner === 'session'
  return (config.approval?.value ?? (isSessions ? agent.sessionPolicy.approval : undefined)) === 'deny'
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

export function promptText(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
}
