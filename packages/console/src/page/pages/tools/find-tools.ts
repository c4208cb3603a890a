import type { DiscoveredTool } from '@ostler/agent-api/manage'

/** Finds tools with all words in name, title or description. Matches in the name come first. */
export function findTools<T extends Pick<DiscoveredTool, 'name' | 'title' | 'description'>>(
  tools: readonly T[],
  search: string,
): readonly T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return tools
  const inName = (tool: T) => words.some((word) => tool.name.toLowerCase().includes(word))
  const found = tools.filter(({ name, title = '', description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return [...found.filter(inName), ...found.filter((tool) => !inName(tool))]
}
