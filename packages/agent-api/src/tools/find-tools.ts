import { mergeToolConfig } from '../policy/tool-config.ts'
import type { OfferedTool } from './offered-tool.ts'
import { toolKey } from './select-tools.ts'
import type { ToolSearch } from './tool-search.ts'
import { errorResult, objectSchema, textResult, type Tool } from '../messages/tool.ts'

const matchesMax = 10

/** A tool that lets the model search for tools that were not offered. Its matches are offered from the next step on. */
export function createFindTools(
  searchable: readonly OfferedTool[],
  search: () => Promise<ToolSearch>,
  onFound: (keys: readonly string[]) => void,
): OfferedTool {
  const tool: Tool = {
    ref: { server: null, tool: 'find_tools' },
    description: `Finds more tools: ${searchable.length} are not shown to you. Say in a few words what you want to do; the tools that are found can be called from your next message on.`,
    inputSchema: objectSchema(['query'], { query: { type: 'string', minLength: 1, description: 'What the tool should do' } }),
    kind: 'search',
    isInternal: true,
    async execute({ query }) {
      const matches = (await search()).search(String(query), matchesMax)
      if (matches.length === 0) return errorResult('No tool matches. Try other words, or continue without one.')
      onFound(matches.map(({ ref }) => toolKey(ref)))
      const lines = matches.map(({ index }) => describe(searchable[index]))
      return textResult(`These tools can be called now:\n${lines.join('\n')}`)
    },
  }
  return { tool, config: mergeToolConfig([]), home: { type: 'local' } }
}

function describe(entry: OfferedTool | undefined): string {
  if (entry === undefined) return ''
  const { ref, description } = entry.tool
  return `- ${ref.tool} of ${ref.server ?? 'Ostler'}: ${description.split('\n')[0] ?? ''}`
}
