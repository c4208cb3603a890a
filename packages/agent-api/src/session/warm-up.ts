import type { OfferedTool } from '../tools/offered-tool.ts'
import { searchTools } from './search-tools.ts'
import { isDenied, toolsOf, type Toolbox } from './toolbox.ts'

/** Each start takes processor time from the servers that the prompt waits for. */
const startsMax = 3
/** Several of the best tools may belong to one server. */
const matchesMax = 30

/**
 * Starts known servers that the prompt will probably call, while it waits for others anyway. Of many, those whose tools match its words
 * best, or succeeded after similar prompts.
 */
export async function warmUpKnown(toolbox: Toolbox, prompt: string): Promise<void> {
  const tools = toolsOf(toolbox).filter(
    (tool) => clientOf(tool)?.isAnticipated === true && !isDenied(toolbox, tool),
  )
  let likely = clientsOf(tools)
  if (likely.length > startsMax) {
    const { search } = await searchTools(toolbox, tools)
    const found = search(prompt, matchesMax).flatMap(({ index }) => tools[index] ?? [])
    likely = clientsOf(found).slice(0, startsMax)
  }
  // The end of the prompt does not waste a start. A call reports a failure.
  const { signal } = new AbortController()
  for (const client of likely) client.use({ signal }).catch(() => undefined)
}

const clientOf = ({ home }: OfferedTool) => (home.type === 'server' ? home.client : undefined)

const clientsOf = (tools: readonly OfferedTool[]) => [
  ...new Set(tools.flatMap((tool) => clientOf(tool) ?? [])),
]
