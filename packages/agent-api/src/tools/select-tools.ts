import type { OfferedTool } from './offered-tool.ts'
import type { ToolSearch } from './tool-search.ts'
import type { ToolRef } from '../messages/tool.ts'

/** The name of a tool as a person writes it: `server:tool`, or the bare name of a local tool. */
export function toolKey({ server, tool }: ToolRef): string {
  return server === null ? tool : `${server}:${tool}`
}

export interface ToolChoice {
  /** Tools that a person added. */
  readonly added: ReadonlySet<string>
  /** Tools found by the search in this turn. */
  readonly found: ReadonlySet<string>
}

/**
 * Splits all usable tools into those offered in a step and those that only the search finds. Session tools are always offered, whatever the
 * agent file says.
 */
export function selectTools(
  all: readonly OfferedTool[],
  { added, found }: ToolChoice,
): { offered: OfferedTool[]; hidden: OfferedTool[] } {
  const isOffered = ({ tool, config, home }: OfferedTool) => {
    if (home.type === 'local' || home.owner === 'session' || config.include.value === 'always') return true
    const key = toolKey(tool.ref)
    return added.has(key) || (config.include.value === 'agent' && found.has(key))
  }
  return {
    offered: all.filter(isOffered),
    hidden: all.filter((entry) => !isOffered(entry) && entry.config.include.value === 'agent'),
  }
}

/** Tools that are offered only if the search finds them. */
export function searchableTools(all: readonly OfferedTool[]): OfferedTool[] {
  return all.filter(
    ({ config, home }) =>
      home.type === 'server' && home.owner === 'agent' && config.include.value === 'agent',
  )
}

/** Returns all tools if they fit into the budget, otherwise those that best match the prompt. */
export async function findForPrompt(
  searchable: readonly OfferedTool[],
  createSearch: (among: readonly OfferedTool[]) => Promise<ToolSearch>,
  prompt: string,
  budget: number,
): Promise<string[]> {
  if (searchable.length <= budget) return searchable.map(({ tool }) => toolKey(tool.ref))
  const { search } = await createSearch(searchable)
  return search(prompt, budget).map(({ ref }) => toolKey(ref))
}
