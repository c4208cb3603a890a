import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSearch } from '../tools/tool-search.ts'
import { policyOf, type Toolbox } from './toolbox.ts'

/** Past searches in the session's folder vote. */
export async function searchTools(toolbox: Toolbox, entries: readonly OfferedTool[]): Promise<ToolSearch> {
  const [{ createToolSearch }, { createToolVotes }] = await Promise.all([
    import('../tools/tool-search.ts'),
    import('../tools/tool-votes.ts'),
  ])
  const votes = createToolVotes(toolbox.pastSearches())
  return createToolSearch(
    entries.map(({ tool, home }) => ({
      ...tool,
      serverDescription:
        home.type === 'server'
          ? (policyOf(toolbox, home)?.description ?? home.client.instructions)
          : undefined,
    })),
    { votes },
  )
}
