import { searchTools } from './search-tools.ts'
import { enabledClients, isDenied, toolsOf, type Toolbox } from './toolbox.ts'

/** Each start takes processor time from the servers that the prompt waits for. */
const startsMax = 3
/** Several of the best tools may belong to one server. */
const matchesMax = 30

/**
 * Starts known servers that the prompt will probably call, while it waits for others anyway. Of many, those whose tools match its words
 * best, or succeeded after similar prompts.
 */
export async function warmUpKnown(toolbox: Toolbox, prompt: string): Promise<void> {
  const callable = new Set(
    toolsOf(toolbox).flatMap((entry) =>
      entry.home.type === 'server' && !isDenied(toolbox, entry) ? [entry.home.client] : [],
    ),
  )
  const known = [...enabledClients(toolbox).values()].filter(
    (client) => client.isAnticipated && (client.tools.length === 0 || callable.has(client)),
  )
  const likely = known.length > startsMax ? await likeliest(toolbox, prompt) : known
  for (const client of likely) client.warmUp()
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
