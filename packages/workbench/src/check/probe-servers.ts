import type { AgentServer } from '@ostler/agent-api'
import {
  messageOf,
  type McpStatus,
  openAgentServers,
  type AgentServersOptions,
} from '@ostler/agent-api/internal'

export interface ServerProbe {
  readonly name: string
  readonly status: McpStatus
  readonly tools: readonly string[]
  readonly prompts: readonly string[]
  /** From the start of all servers until this one connected or failed. */
  readonly settledMs: number
}

export interface ServerProbes {
  readonly probes: readonly ServerProbe[]
  /** The agent would not have started. */
  readonly failure: string | undefined
}

/** Starts the servers as the agent does, and ends them again. */
export async function probeServers(
  options: AgentServersOptions & { readonly stored: readonly AgentServer[] },
  onSettled: () => void,
): Promise<ServerProbes> {
  const begunAt = performance.now()
  const { set, added, started } = openAgentServers(options)
  try {
    for (const server of options.stored) added.add(server)
    const probes = await Promise.all(
      [...set.clients.values()].map(async (client): Promise<ServerProbe> => {
        await client.settled
        onSettled()
        // Copied now, because failed servers are retried in the background.
        return {
          name: client.name,
          status: client.status,
          tools: client.tools.map(({ name }) => name),
          prompts: client.prompts.map(({ name }) => name),
          settledMs: performance.now() - begunAt,
        }
      }),
    )
    return { probes, failure: await started.then(() => undefined, messageOf) }
  } finally {
    await set[Symbol.asyncDispose]()
  }
}
