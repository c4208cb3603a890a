import { messageOf } from '../base/errors.ts'
import type { Rate } from '../policy/rate-gate.ts'
import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'
import type { ConfirmedTool, Inspection } from '../turn/turn.ts'
import { factsIn, toolsOf, type Toolbox } from './toolbox.ts'

/**
 * Returns the tool as its server offers it now. The model may have called what the server offered in an earlier process. Such a call waits
 * for the connection, because the decision must be about the tool that runs.
 */
export async function confirmTool(
  toolbox: Toolbox,
  offered: OfferedTool,
  signal: AbortSignal,
): Promise<ConfirmedTool> {
  const { tool, home } = offered
  if (home.type === 'local') return { offered }
  const { client } = home
  if (client.seen === undefined) {
    try {
      await client.use({ signal })
    } catch (error) {
      return { problem: `MCP error: ${messageOf(error)}` }
    }
  }
  // A tool that is withdrawn while its server is down may still be called: the call restores the connection.
  if (client.status.state !== 'connected') return { offered }
  const now = sameServer(toolbox, home).find((other) => other.tool.ref.tool === tool.ref.tool)
  return now === undefined
    ? { problem: `The server '${client.name}' no longer offers this tool. Nothing was run.` }
    : { offered: now }
}

export function inspectTool(toolbox: Toolbox, offered: OfferedTool): Inspection {
  const { home, tool } = offered
  const facts = factsIn(toolbox, offered)
  const { inputSchema } = tool
  if (home.type === 'local') return { facts, inputSchema, siblings: () => [facts] }
  return {
    facts,
    inputSchema,
    claims: tool.annotations,
    serverOrigin: home.client.origin,
    siblings: () => sameServer(toolbox, home).map((other) => factsIn(toolbox, other)),
  }
}

/** Waits for a slot. While a server of the agent is called, what it asks is for this session. */
export async function acquireSlot(
  { shared, limits, asked }: Toolbox,
  { tool, config, home }: OfferedTool,
  signal: AbortSignal,
): Promise<Disposable> {
  // A tool that waits for a person occupies no slot.
  if (tool.isInternal === true) return noPlace
  const isAgents = home.type === 'server' && home.owner === 'agent'
  const rate = home.type === 'local' ? undefined : rateOf(shared, home)
  const place = await (isAgents ? shared.limits : limits).acquire(
    { ref: tool.ref, maxInstances: config.maxInstances.value, rate },
    signal,
  )
  if (!isAgents) return place
  const call = shared.questions.begin(home.client.name, asked)
  return {
    [Symbol.dispose]() {
      call[Symbol.dispose]()
      place[Symbol.dispose]()
    },
  }
}

const noPlace: Disposable = { [Symbol.dispose]: () => undefined }

function sameServer(toolbox: Toolbox, { client }: ServerHome): OfferedTool[] {
  return toolsOf(toolbox).filter(({ home }) => home.type === 'server' && home.client === client)
}

function rateOf({ servers, policy }: Toolbox['shared'], { client, owner }: ServerHome): Rate | undefined {
  return owner === 'agent' ? servers.policies.get(client.name)?.rateLimit : policy.rateLimit
}
