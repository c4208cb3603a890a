import type { OfferedTool } from './offered-tool.ts'
import type { ToolSearch } from './tool-search.ts'
import type { ToolRef } from '../messages/tool.ts'

/** The name of a tool as a person writes it: `server:tool`, or the bare name of a local tool. */
export function toolKey({ server, tool }: ToolRef): string {
  return server === null ? tool : `${server}:${tool}`
}

export interface ToolChoice {
  readonly added: ReadonlySet<string>
  readonly found: ReadonlySet<string>
}

/** Session tools are always offered, whatever the agent file says. */
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
    hidden: searchableTools(all).filter((entry) => !isOffered(entry)),
  }
}

export function searchableTools(all: readonly OfferedTool[]): OfferedTool[] {
  return all.filter(
    ({ config, home }) =>
      home.type === 'server' && home.owner === 'agent' && config.include.value === 'agent',
  )
}

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

/** Room for tools that are found later, so that they displace no others. */
const roomForFound = 16

interface LimitedTools {
  readonly kept: readonly OfferedTool[]
  readonly left: readonly OfferedTool[]
}

/**
 * One place of `max` is for `find_tools`. Local tools come first, then those of the session's servers, then
 * the agent's. Found tools stand at the end, so that the others keep their places in the vendor's cache.
 */
export function limitTools(
  offered: readonly OfferedTool[],
  found: ReadonlySet<string>,
  max: number,
): LimitedTools {
  if (offered.length < max) return { kept: offered, left: [] }
  const room = Math.max(0, max - 1)
  const isFound = (entry: OfferedTool) => entry.home.type !== 'local' && found.has(toolKey(entry.tool.ref))
  const order = new Map([...found].map((key, place) => [key, place]))
  const placeOf = ({ tool }: OfferedTool) => order.get(toolKey(tool.ref)) ?? 0
  const local = offered.filter(({ home }) => home.type === 'local').slice(0, room)
  // The tools found last are kept.
  const finds = offered.filter(isFound).toSorted((a, b) => placeOf(a) - placeOf(b))
  const wanted = finds.slice(Math.max(0, finds.length - (room - local.length)))
  const others = offered
    .filter((entry) => entry.home.type !== 'local' && !isFound(entry))
    .toSorted((a, b) => rank(a) - rank(b))
  const base = others.slice(0, Math.max(0, room - local.length - Math.max(wanted.length, roomForFound)))
  const kept = new Set([...local, ...base, ...wanted])
  return {
    kept: [...offered.filter((entry) => kept.has(entry) && !isFound(entry)), ...wanted],
    left: offered.filter((entry) => !kept.has(entry)),
  }
}

function rank({ home }: OfferedTool): number {
  return home.type === 'server' && home.owner === 'session' ? 0 : 1
}
