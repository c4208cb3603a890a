import type { McpClient } from '../mcp/mcp-client.ts'
import { ownerOf } from '../servers/merge-servers.ts'
import { enabledClients, toolsOf, type Toolbox } from './toolbox.ts'
import { isDenied, searchTools } from './turn-tools.ts'

/** Each start takes processor time from the servers that the prompt waits for. */
const startsMax = 3
/** Several of the best tools may belong to one server. */
const matchesMax = 30

/**
 * Starts known servers that the prompt will probably call, while it waits for others anyway. Of many, those whose tools match its words
 * best, or succeeded after similar prompts.
 */
export async function warmUpKnown(toolbox: Toolbox, prompt: string): Promise<void> {
  const known = [...enabledClients(toolbox).values()].filter(
    (client) => client.isAnticipated && mayBeCalled(toolbox, client),
  )
  const likely = known.length > startsMax ? await likeliest(toolbox, prompt) : known
  for (const client of likely) client.warmUp()
}

/** False if all tools of the server are denied. */
function mayBeCalled(toolbox: Toolbox, client: McpClient): boolean {
  const { owner, servers } = ownerOf(client.name, toolbox.shared.servers, toolbox.servers)
  const home = { type: 'server', client, owner } as const
  const configs = [...servers.admitted(client.name).values()]
  return client.tools.length === 0 || configs.some((config) => !isDenied(toolbox, { config, home }))
}

async function likeliest(toolbox: Toolbox, prompt: string) {
  const entries = toolsOf(toolbox).filter(
    (entry) => entry.home.type === 'server' && entry.home.client.isAnticipated && !isDenied(toolbox, entry),
  )
  const { search } = await searchTools(toolbox, entries)
  const clients = search(prompt, matchesMax).flatMap(({ index }) => {
    const home = entries[index]?.home
    return home?.type === 'server' ? [home.client] : []
  })
  return [...new Set(clients)].slice(0, startsMax)
}
