import { describeTools, type NamedTool } from './list-waiting.ts'
import { offerOwn, type OfferedTool } from './offered-tool.ts'
import { toolKey } from './select-tools.ts'
import type { ToolSearch } from './tool-search.ts'
import { errorResult, objectSchema, textResult, type Tool } from '../messages/tool.ts'

const matchesMax = 10

interface SearchedTools {
  /** The tools whose schemas wait. */
  readonly hidden: readonly OfferedTool[]
  readonly offered: readonly OfferedTool[]
  readonly nameOf?: (entry: OfferedTool) => string
}

const inputSchema = objectSchema(['query'], {
  query: { type: 'string', minLength: 1, description: 'What the tool should do' },
})

/** With `onFound`, what is found joins the list from the next step on. Otherwise, its schema is part of the result, and `use_tool` calls it. */
export function createFindTools(
  { hidden, offered, nameOf = ({ tool }) => toolKey(tool.ref) }: SearchedTools,
  createSearch: (among: readonly OfferedTool[]) => Promise<ToolSearch>,
  onFound?: (keys: readonly string[]) => void,
): OfferedTool {
  const toNamed = (entry: OfferedTool): NamedTool => ({ entry, name: nameOf(entry) })

  /** A tool that is named comes first. */
  async function find(among: readonly OfferedTool[], query: string): Promise<NamedTool[]> {
    const words = new Set(query.split(/[^\w:.-]+/))
    const named = among
      .map(toNamed)
      .filter(({ entry, name }) => words.has(name) || words.has(toolKey(entry.tool.ref)))
    if (named.length > 0) return named.slice(0, matchesMax)
    const matches = (await createSearch(among)).search(query, matchesMax)
    return matches.flatMap(({ index }) => among[index] ?? []).map(toNamed)
  }

  const tool: Tool = {
    ref: { server: null, tool: 'find_tools' },
    // Where the list must not change, neither may this text.
    description:
      onFound === undefined
        ? 'Finds more tools, and shows the arguments of those that are listed by their names only. Say in a few words what you want to do, or name the tools.'
        : `Finds more tools: ${hidden.length} are not shown to you. Say in a few words what you want to do; the tools that are found can be called from your next message on.`,
    inputSchema,
    kind: 'search',
    isInternal: true,
    async execute({ query }) {
      const matches = await find(hidden, String(query))
      onFound?.(matches.map(({ entry }) => toolKey(entry.tool.ref)))
      if (matches.length > 0)
        return textResult(
          onFound === undefined
            ? `Call these tools with use_tool:\n${describeTools(matches)}`
            : `These tools can be called now:\n${matches.map(toLine).join('\n')}`,
        )
      const known = await find(offered, String(query))
      if (known.length > 0)
        return textResult(`No other tool matches. You already have these:\n${known.map(toLine).join('\n')}`)
      return errorResult('No tool matches. Try other words, or continue without one.')
    },
  }
  return offerOwn(tool)
}

function toLine({ entry: { tool } }: NamedTool): string {
  return `- ${tool.ref.tool} of ${tool.ref.server ?? 'Ostler'}: ${tool.description.split('\n')[0] ?? ''}`
}
