import { suggestFor } from '../base/did-you-mean.ts'
import type { AgentServer } from '../policy/agent-server.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'

interface UnusedEntriesRequest {
  readonly configured: readonly ConfiguredTool[]
  /** All servers of the agent file, including unconnected ones. */
  readonly servers: readonly string[]
  /** All offered tools, including local ones. Undefined if it is not known. */
  readonly offered: readonly string[] | undefined
  readonly down?: readonly string[]
}

/**
 * Finds entries of `toolbox.tools` that match nothing, mostly because of a typo. Tools missing from a connected server are reported with
 * that server.
 */
export function unusedEntries({
  configured,
  servers,
  offered,
  down = [],
}: UnusedEntriesRequest): { readonly index: number; readonly message: string }[] {
  const known = new Set(servers)
  const there = offered && new Set(offered)
  const unused = [...configured.entries()].filter(([, { name, server }]) =>
    server === undefined ? there?.has(name) === false : !known.has(server),
  )
  const [only] = servers
  const isLost = known.size === 1 && down.length === 0
  const what = isLost
    ? `was configured but is no longer available from MCP server '${only}'`
    : 'is configured in toolbox.tools but no MCP server of the agent offers it'
  const missing = down.length === 0 ? '' : ` (not connected: ${down.join(', ')})`
  return unused.map(([index, { name, server }]) => ({
    index,
    message:
      server === undefined
        ? `Tool '${name}' ${what}${suggestFor(name, unused, offered ?? [])}${missing}`
        : `Tool '${name}' is configured for the server '${server}', which the agent does not have${suggestFor(server, unused, servers)}`,
  }))
}

/** Prompts that should become slash commands, but that their server lacks. */
export function missingPrompts(
  { config: { name }, prompts = [] }: AgentServer,
  offered: readonly string[],
): string[] {
  const there = new Set(offered)
  const missing = prompts.filter((prompt) => !there.has(prompt))
  return missing.map(
    (prompt) =>
      `Prompt '${prompt}' is listed for MCP server '${name}', which does not offer it${suggestFor(prompt, missing, offered)}`,
  )
}
