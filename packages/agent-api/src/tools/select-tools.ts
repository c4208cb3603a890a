import type { OfferedTool } from './offered-tool.ts'
import type { ToolSearch } from './tool-search.ts'
import type { ToolRef } from '../messages/tool.ts'

/** How a tool is named where a person names one: `server:tool`, or the bare name of a local tool. */
export function toolKey({ server, tool }: ToolRef): string {
  return server === null ? tool : `${server}:${tool}`
}

export interface ToolChoice {
  /** Tools that a person has added by hand. */
  readonly added: ReadonlySet<string>
  /** Tools that the search has found in this turn. */
  readonly found: ReadonlySet<string>
}

/** Of all tools that may be used, those that a step offers. What a session brought is always among them, whatever the agent file says. */
export function selectTools(all: readonly OfferedTool[], { added, found }: ToolChoice): { offered: OfferedTool[]; hidden: OfferedTool[] } {
  const isOffered = ({ tool, config, home }: OfferedTool) => {
    if (home.type === 'local' || home.owner === 'session' || config.include.value === 'always') return true
    const key = toolKey(tool.ref)
    return added.has(key) || (config.include.value === 'agent' && found.has(key))
  }
  return { offered: all.filter(isOffered), hidden: all.filter((entry) => !isOffered(entry) && entry.config.include.value === 'agent') }
}

/** The tools that only the search brings up. */
export function searchableTools(all: readonly OfferedTool[]): OfferedTool[] {
  return all.filter(({ config, home }) => home.type === 'server' && home.owner === 'agent' && config.include.value === 'agent')
}

/** Few enough are all offered; of more, those that fit best what the person said. */
export async function findForPrompt(
  searchable: readonly OfferedTool[],
  search: () => Promise<ToolSearch>,
  prompt: string,
  budget: number,
): Promise<string[]> {
  if (searchable.length <= budget) return searchable.map(({ tool }) => toolKey(tool.ref))
  const { search: find } = await search()
  return find(prompt, budget).map(({ ref }) => toolKey(ref))
}
