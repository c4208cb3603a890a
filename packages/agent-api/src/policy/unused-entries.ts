import { suggest } from '../base/did-you-mean.ts'
import type { ConfiguredTool } from './tool-config.ts'

export interface UnusedEntriesRequest {
  readonly configured: readonly ConfiguredTool[]
  /** Every server of the agent file, those that are not connected too. */
  readonly servers: readonly string[]
  /** What is offered, local tools included. Unset while that is not known of everyone. */
  readonly offered: readonly string[] | undefined
}

/** Entries of `toolbox.tools` that speak of nothing: a misspelt name, most of the time. What a connected server lacks is told with that server. */
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
