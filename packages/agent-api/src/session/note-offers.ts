import { toToolOffer, type LeftReason } from '../messages/tool-offer.ts'
import { ownerOf, shadowedServers } from '../servers/provider-helper.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { toolKey } from '../tools/select-tools.ts'
import { clientsOf, enabledClients, type SessionState } from './session-state.ts'

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
export function createOfferNote(state: SessionState): (step: StepTools) => void {
  let step = 0
  return (tools) => {
    step++
    const offer = toToolOffer({ turn: state.settings.current.turns, step }, tools.wireNames, leftOut(state, tools))
    const key = JSON.stringify({ ...offer, turn: 0, step: 0 })
    if (key === state.memory.offer) return
    state.memory.offer = key
    state.agent.history.toolOffers.add(state.id, offer)
  }
}

function leftOut(state: SessionState, { all, denied, offered, hidden, left }: StepTools): Partial<Record<LeftReason, readonly string[]>> {
  const shown = new Set([...offered, ...hidden])
  const keys = (tools: readonly OfferedTool[]) => tools.map(({ tool }) => toolKey(tool.ref))
  const clients = [...enabledClients(state).values()]
  const admitted = (name: string) => ownerOf(name, state.agent.servers, state.servers).servers.admitted(name)
  const isConnected = (client: (typeof clients)[number]) => client.status.state === 'connected' || client.tools.length > 0
  return {
    search: keys(hidden),
    limit: keys(left),
    denied: keys(denied),
    manual: keys(all.filter((entry) => !shown.has(entry))),
    strict: clients.flatMap(({ name, tools }) => {
      const known = admitted(name)
      return tools.filter((tool) => !known.has(tool.name)).map((tool) => `${name}:${tool.name}`)
    }),
    disabled: [...clientsOf(state).keys()].filter((name) => state.disabledServers.has(name)),
    overridden: shadowedServers(state.agent.servers.clients, state.servers.clients),
    unconnected: clients.filter((client) => !isConnected(client)).map(({ name }) => name),
  }
}
