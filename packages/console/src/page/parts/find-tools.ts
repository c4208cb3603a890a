import type { DiscoveredTool } from '../../api.ts'
import { searchWords } from '../text/search.ts'

/** The words of thousands of tools are searched at each key. */
const searched = new WeakMap<object, { readonly name: string; readonly text: string }>()

/** Finds tools with all words in name, title or description. Matches in the name come first. */
export function findTools<T extends Pick<DiscoveredTool, 'name' | 'title' | 'description'>>(
  tools: readonly T[],
  search: string,
): readonly T[] {
  const words = searchWords(search)
  if (words.length === 0) return tools
  const inName = (tool: T) => words.some((word) => wordsOf(tool).name.includes(word))
  const found = tools.filter((tool) => words.every((word) => wordsOf(tool).text.includes(word)))
  return [...found.filter(inName), ...found.filter((tool) => !inName(tool))]
}

function wordsOf(tool: Pick<DiscoveredTool, 'name' | 'title' | 'description'>) {
  const known = searched.get(tool)
  if (known !== undefined) return known
  const { name, title = '', description } = tool
  const words = { name: name.toLowerCase(), text: `${name} ${title} ${description}`.toLowerCase() }
  searched.set(tool, words)
  return words
}
