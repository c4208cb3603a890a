import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'
import type { ToolSearch } from '../tools/tool-search.ts'
import type { SessionState } from './session-state.ts'

/** A search over these tools, in which the history of the session's folder votes. Its code and words are loaded on first use. */
export async function searchTools({ agent, cwd }: SessionState, entries: readonly OfferedTool[]): Promise<ToolSearch> {
  const [{ createToolSearch }, { createToolVotes }] = await Promise.all([
    import('../tools/tool-search.ts'),
    import('../tools/tool-votes.ts'),
  ])
  const votes = await createToolVotes(agent.history.pastSearches(agent.name, cwd))
  return createToolSearch(
    entries.map(({ tool, home }) => ({ ...tool, serverDescription: home.type === 'server' ? describeServer(home) : undefined })),
    { votes },
  )

  function describeServer({ client, owner }: ServerHome): string | undefined {
    const described = owner === 'agent' ? agent.servers.policies.get(client.name)?.description : undefined
    return described ?? client.instructions
  }
}
