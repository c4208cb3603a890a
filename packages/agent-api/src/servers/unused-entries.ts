import { suggest } from '../base/did-you-mean.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'

export interface UnusedEntriesRequest {
  readonly configured: readonly ConfiguredTool[]
  /** All servers of the agent file, including unconnected ones. */
  readonly servers: readonly string[]
  /** All offered tools, including local ones. Undefined until every server has connected. */
  readonly offered: readonly string[] | undefined
}

/**
 * Finds entries of `toolbox.tools` that match nothing, mostly because of a typo. Tools missing from a connected server are reported with
 * that server.
 */
export function unusedEntries({
  configured,
  servers,
  offered,
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
    return [
      { index, message: `Tool '${name}' is configured in toolbox.tools but no MCP server of the agent offers it${suggest(name, offered)}` },
    ]
  })
}
