import { toToolOffer, type LeftReason } from '../messages/tool-offer.ts'
import { shadowedServers } from '../servers/merge-servers.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { toolKey } from '../tools/select-tools.ts'
import type { SessionRecord } from './session-record.ts'
import { admittedBy, clientsOf, enabledClients, type Toolbox } from './toolbox.ts'

/** The choice of tools for one step. */
export interface StepTools {
  /** The names that the model reads. */
  readonly wireNames: readonly string[]
  /** All usable tools, without the denied ones. */
  readonly all: readonly OfferedTool[]
  readonly denied: readonly OfferedTool[]
  readonly offered: readonly OfferedTool[]
  /** Tools that only the search finds. */
  readonly hidden: readonly OfferedTool[]
  /** Tools beyond the limit of the model's vendor. */
  readonly left: readonly OfferedTool[]
}

/** Stores the tools that the model of a turn is offered, when they change. */
export function createOfferNote(
  { id, state, settings, memory }: SessionRecord,
  toolbox: Toolbox,
): (step: StepTools) => void {
  let step = 0
  return (tools) => {
    step++
    const offer = toToolOffer(
      { turn: settings.current.turns, step },
      tools.wireNames,
      leftOut(toolbox, tools),
    )
    const key = JSON.stringify({ ...offer, turn: 0, step: 0 })
    if (key === memory.offer) return
    memory.offer = key
    state.sessions.offers.add(id, offer)
  }
}

function leftOut(
  toolbox: Toolbox,
  { all, denied, offered, hidden, left }: StepTools,
): Partial<Record<LeftReason, readonly string[]>> {
  const shown = new Set([...offered, ...hidden])
  const keys = (tools: readonly OfferedTool[]) => tools.map(({ tool }) => toolKey(tool.ref))
  const clients = [...enabledClients(toolbox).values()]
  const isConnected = (client: (typeof clients)[number]) =>
    client.status.state === 'connected' || client.tools.length > 0
  return {
    search: keys(hidden),
    limit: keys(left),
    denied: keys(denied),
    manual: keys(all.filter((entry) => !shown.has(entry))),
    strict: clients.flatMap(({ name, tools }) => {
      const known = new Set(admittedBy(toolbox, name))
      return tools.filter((tool) => !known.has(tool.name)).map((tool) => `${name}:${tool.name}`)
    }),
    disabled: [...clientsOf(toolbox).keys()].filter((name) => toolbox.disabled.has(name)),
    overridden: shadowedServers(toolbox.shared.servers.clients, toolbox.servers.clients),
    unconnected: clients.filter((client) => !isConnected(client)).map(({ name }) => name),
  }
}
