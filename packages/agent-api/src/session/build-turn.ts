import { forModel } from '../context/gauge.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { CallFacts } from '../policy/approval.ts'
import type { Rate } from '../policy/rate-gate.ts'
import type { Model } from '../provider/model.ts'
import { createLoopGuard } from '../turn/loop-guard.ts'
import type { Inspection, Turn } from '../turn/turn.ts'
import { createUsageMeter } from '../turn/usage-meter.ts'
import { factsOf } from '../tools/call-facts.ts'
import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { enabledClients, toolsOf, type AgentSide, type SessionState } from './session-state.ts'
import { confirmTool } from './confirm-tool.ts'
import { askForm } from './shared-elicit.ts'
import { noteTouched, type SessionMemory } from './session-memory.ts'
import { openSideModel } from './side-model.ts'
import { toSystemPrompt } from './system-prompt.ts'

/** Provides the turn with what it needs from the session for one prompt. */
export function buildTurn(
  state: SessionState,
  model: Model,
  toolSet: () => Promise<ToolSet>,
  emit: (event: TurnEvent) => Promise<void>,
): Turn {
  const { agent, cwd, memory } = state
  memory.gauge = forModel(memory.gauge, model.id)
  const gauge = gaugeIn(memory)
  return {
    model,
    conversation: state.conversation,
    cacheKey: state.id,
    openSideModel: () => openSideModel(state),
    gauge,
    compactAt: agent.compactAt,
    calls: agent.history.callRecorder({ agent: agent.name, sessionId: state.id, turn: state.settings.current.turns }),
    systemPrompt: () => {
      const { mode, additionalDirectories } = state.settings.current
      const hasServer = (name: string) => enabledClients(state).has(name)
      const { briefing } = memory
      return toSystemPrompt({ agentPrompt: agent.systemPrompt, cwd, additionalDirectories, mode, briefing, hasServer })
    },
    toolSet,
    gate: state.gate,
    confirm: (tool, signal) => confirmTool(state, tool, signal),
    inspect: (tool) => inspect(state, tool),
    acquire: (tool, signal) => acquire(state, tool, signal),
    membrane: agent.membranes.calls,
    keep: state.results.keep,
    offerScope: async ({ home }, scope, signal) =>
      home.type === 'server' && (await state.loginOffers?.offerScope(home.client, scope, signal)) === true,
    askForm: (form, here, signal) => askForm(state.asking, form, here, signal),
    guard: createLoopGuard(),
    usage: createUsageMeter({ model, gauge, cost: state.cost }),
    stepsMax: agent.stepsMax,
    thoughtLevel: state.settings.current.thoughtLevel,
    notes: async () => (await import('./brief.ts')).notesForStep(state, model.contextSize),
    emit(event) {
      noteTouched(memory, event)
      return emit(event)
    },
    timing: agent.timing,
    logger: agent.logger,
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

/** A tool that waits for a person occupies no slot. While a server of the agent is called, what it asks is for this session. */
async function acquire(
  { agent, limits, asked }: SessionState,
  { tool, config, home }: OfferedTool,
  signal: AbortSignal,
): Promise<Disposable> {
  if (tool.isInternal === true) return noPlace
  const isAgents = home.type === 'server' && home.owner === 'agent'
  const rate = home.type === 'local' ? undefined : rateOf(agent, home)
  const place = await (isAgents ? agent.limits : limits).acquire({ ref: tool.ref, maxInstances: config.maxInstances.value, rate }, signal)
  if (!isAgents) return place
  const call = agent.questions.begin(home.client.name, asked)
  return {
    [Symbol.dispose]() {
      call[Symbol.dispose]()
      place[Symbol.dispose]()
    },
  }
}

const noPlace: Disposable = { [Symbol.dispose]: () => undefined }

function rateOf({ servers, sessionPolicy }: AgentSide, { client, owner }: ServerHome): Rate | undefined {
  return owner === 'agent' ? servers.policies.get(client.name)?.rateLimit : sessionPolicy.rateLimit
}

function inspect(state: SessionState, offered: OfferedTool): Inspection {
  const { home } = offered
  return {
    facts: factsIn(state, offered),
    ...(home.type === 'server' && { claims: offered.tool.annotations }),
    serverOrigin: home.type === 'local' ? undefined : home.client.origin,
    siblings() {
      if (home.type === 'local') return [factsIn(state, offered)]
      const same = toolsOf(state).filter((other) => other.home.type === 'server' && other.home.client === home.client)
      return same.map((other) => factsIn(state, other))
    },
  }
}

export function factsIn({ agent, cwd }: SessionState, offered: OfferedTool): CallFacts {
  const { home } = offered
  if (home.type === 'local') return factsOf(offered)
  if (home.owner === 'session') return factsOf(offered, { cwd, approval: agent.sessionPolicy.approval })
  return factsOf(offered, { isTrusted: agent.servers.policies.get(home.client.name)?.trusted === true })
}
