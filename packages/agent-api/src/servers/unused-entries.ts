import { suggest } from '../base/did-you-mean.ts'
import type { AgentServer } from '../policy/agent-server.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'

export interface UnusedEntriesRequest {
  readonly configured: readonly ConfiguredTool[]
  /** All servers of the agent file, including unconnected ones. */
  readonly servers: readonly string[]
  /** All offered tools, including local ones. Undefined until every server has connected. */
  readonly offered: readonly string[] | undefined
  /** Servers that are not connected. */
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
  return [...configured.entries()].flatMap(([index, { name, server }]) => {
    if (server !== undefined && !servers.includes(server))
      return [
        {
          index,
          message: `Tool '${name}' is configured for the server '${server}', which the agent does not have${suggest(server, servers)}`,
        },
      ]
    if (server !== undefined || offered === undefined || offered.includes(name)) return []
    const [only, ...others] = new Set(servers)
    const what =
      only !== undefined && others.length === 0 && down.length === 0
        ? `was configured but is no longer available from MCP server '${only}'`
        : 'is configured in toolbox.tools but no MCP server of the agent offers it'
    return [{ index, message: `Tool '${name}' ${what}${suggest(name, offered)}` }]
  })
}

/** Prompts that are to become slash commands, and that their server does not have. */
export function missingPrompts({ config: { name }, prompts = [] }: AgentServer, offered: readonly string[]): string[] {
  return prompts
    .filter((prompt) => !offered.includes(prompt))
    .map((prompt) => `Prompt '${prompt}' is listed for MCP server '${name}', which does not offer it${suggest(prompt, offered)}`)
}
