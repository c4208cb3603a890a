import { forModel } from '../context/gauge.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Model } from '../provider/model.ts'
import { definitionKey } from '../policy/definition-key.ts'
import type { ConfirmedTool, Inspection, Turn } from '../turn/turn.ts'
import { createUsageMeter } from '../turn/usage-meter.ts'
import type { Session } from './session.ts'
import { noteTouched, type SessionMemory } from './session-memory.ts'
import { toSystemPrompt } from './system-prompt.ts'
import { enabledClients, factsIn, isDenied, policyOf, toolsOf, type Toolbox } from './toolbox.ts'
import { messageOf } from '../base/errors.ts'
import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'

export function buildTurn(
  { project, toolbox, record, person, models, turns, logger }: Session,
  model: Model,
  tools: Pick<Turn['tools'], 'next' | 'nextFor'>,
  emit: (event: TurnEvent) => Promise<void>,
): Turn {
  const { memory, settings, membranes } = record
  memory.gauge = forModel(memory.gauge, model.id)
  const gauge = gaugeIn(memory)
  return {
    model,
    settings: {
      ...turns,
      thoughtLevel: settings.current.thoughtLevel,
      cacheKey: record.id,
      searchRefusedBy: toolbox.searchRefusedBy,
    },
    openSideModel: () => models.openSide(settings.current.model),
    conversation: record.conversation,
    gauge,
    usage: createUsageMeter({ model, gauge, cost: record.cost }),
    project: {
      systemPrompt: () =>
        toSystemPrompt(project, memory.briefing, settings.current.mode, enabledClients(toolbox)),
      async notes() {
        const { notesForStep } = await import('./brief.ts')
        return notesForStep(project, record, enabledClients(toolbox), model.contextSize)
      },
    },
    tools: {
      ...tools,
      expect: (tool, signal) => expectTool(toolbox, tool, signal),
      confirm: (tool, signal, onStart) => confirmTool({ toolbox, person }, tool, signal, onStart),
      inspect: (tool) => inspectTool(toolbox, tool),
      acquire: (tool, signal) => acquireSlot(toolbox, tool, signal),
    },
    person: {
      gate: person.gate,
      offerScope: async ({ home }, scope, signal) =>
        home.type === 'server' && (await person.loginOffers?.offerScope(home.client, scope, signal)) === true,
      ask: person.ask,
    },
    calls: record.calls(),
    keep: toolbox.results.keep,
    membrane: membranes.calls,
    emit(event) {
      noteTouched(memory, event)
      return emit(event)
    },
    logger,
  }
}

function gaugeIn(memory: SessionMemory): Turn['gauge'] {
  return {
    get current() {
      return memory.gauge
    },
    set current(gauge) {
      memory.gauge = gauge
    },
  }
}

/**
 * The model may have called what the server offered in an earlier connection. Such a call waits for the connection, because the decision
 * must be about the tool that runs.
 */
async function confirmTool(
  { toolbox, person }: Pick<Session, 'toolbox' | 'person'>,
  offered: OfferedTool,
  signal: AbortSignal,
  onStart: () => void,
): Promise<ConfirmedTool> {
  const { tool, home } = offered
  if (home.type === 'local') return { offered }
  const { client } = home
  if (mustStart(toolbox, offered)) {
    onStart()
    try {
      await person.startConsent.use(client, signal)
    } catch (error) {
      return { problem: `MCP error: ${messageOf(error)}` }
    }
  }
  const problem = await person.definitions.check(
    client,
    definitionKey('tool', { name: tool.ref.tool }),
    signal,
  )
  if (problem !== undefined) return { problem }
  // A tool that is withdrawn while its server is down may still be called: the call restores the connection.
  if (client.status.state !== 'connected') return { offered }
  const now = sameServer(toolbox, home).find((other) => other.tool.ref.tool === tool.ref.tool)
  return now === undefined
    ? { problem: `The server '${client.name}' no longer offers this tool. Nothing was run.` }
    : { offered: now }
}

/** Starts the server of a tool from an earlier connection, while the model still writes the arguments of the call. */
function expectTool(toolbox: Toolbox, offered: OfferedTool, signal: AbortSignal): void {
  const { home } = offered
  // The call reports a failure.
  if (home.type === 'server' && mustStart(toolbox, offered))
    home.client.use({ signal }).catch(() => undefined)
}

/** A call that will be denied starts nothing. */
function mustStart(toolbox: Toolbox, offered: OfferedTool): boolean {
  const { home } = offered
  if (home.type === 'local' || isDenied(toolbox, offered)) return false
  return home.client.isAnticipated || home.client.seen === undefined
}

function inspectTool(toolbox: Toolbox, offered: OfferedTool): Inspection {
  const { home, tool } = offered
  const facts = factsIn(toolbox, offered)
  const { inputSchema } = tool
  if (home.type === 'local') return { facts, inputSchema, siblings: () => [facts] }
  return {
    facts,
    inputSchema,
    claims: tool.annotations,
    serverOrigin: home.client.origin,
    serverFence: home.client.fence,
    siblings: () => sameServer(toolbox, home).map((other) => factsIn(toolbox, other)),
  }
}

/** While a server of the agent is called, its questions go to this session. */
async function acquireSlot(
  toolbox: Toolbox,
  { tool, config, home }: OfferedTool,
  signal: AbortSignal,
): Promise<Disposable> {
  // A tool that waits for a person occupies no slot.
  if (tool.isInternal === true) return noPlace
  const isAgents = home.type === 'server' && home.owner === 'agent'
  const { shared, limits, asked } = toolbox
  const rate =
    home.type === 'local' ? undefined : (isAgents ? policyOf(toolbox, home) : shared.policy)?.rateLimit
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
