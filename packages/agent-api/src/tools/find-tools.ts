import { offerOwn, type OfferedTool } from './offered-tool.ts'
import { toolKey } from './select-tools.ts'
import type { ToolSearch } from './tool-search.ts'
import { errorResult, objectSchema, textResult, type Tool } from '../messages/tool.ts'

const matchesMax = 10

/** Its matches are offered from the next step on. */
export function createFindTools(
  { hidden, offered }: { readonly hidden: readonly OfferedTool[]; readonly offered: readonly OfferedTool[] },
  createSearch: (among: readonly OfferedTool[]) => Promise<ToolSearch>,
  onFound: (keys: readonly string[]) => void,
): OfferedTool {
  async function find(among: readonly OfferedTool[], query: string): Promise<OfferedTool[]> {
    const matches = (await createSearch(among)).search(query, matchesMax)
    return matches.flatMap(({ index }) => among[index] ?? [])
  }

  const tool: Tool = {
    ref: { server: null, tool: 'find_tools' },
    description: `Finds more tools: ${hidden.length} are not shown to you. Say in a few words what you want to do; the tools that are found can be called from your next message on.`,
    inputSchema: objectSchema(['query'], {
      query: { type: 'string', minLength: 1, description: 'What the tool should do' },
    }),
    kind: 'search',
    isInternal: true,
    async execute({ query }) {
      const matches = await find(hidden, String(query))
      onFound(matches.map(({ tool: { ref } }) => toolKey(ref)))
      if (matches.length > 0)
        return textResult(`These tools can be called now:\n${matches.map(describe).join('\n')}`)
      const known = await find(offered, String(query))
      if (known.length > 0)
        return textResult(`No other tool matches. You already have these:\n${known.map(describe).join('\n')}`)
      return errorResult('No tool matches. Try other words, or continue without one.')
    },
  }
  return offerOwn(tool)
}

function describe({ tool: { ref, description } }: OfferedTool): string {
  return `- ${ref.tool} of ${ref.server ?? 'Ostler'}: ${description.split('\n')[0] ?? ''}`
}
