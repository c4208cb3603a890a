import type { TurnEvent } from '../messages/turn-event.ts'
import type { CallFacts } from '../policy/approval.ts'
import { pinOf } from '../policy/pin.ts'
import type { Rate } from '../policy/rate-gate.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { Model } from '../provider/model.ts'
import { createLoopGuard } from '../turn/loop-guard.ts'
import type { Inspection, Turn } from '../turn/turn.ts'
import { createUsageMeter } from '../turn/usage-meter.ts'
import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { toServerOrigin } from './server-origin.ts'
import { clientsOf, toolsOf, type AgentSide, type SessionState } from './session-state.ts'
import { toSystemPrompt } from './system-prompt.ts'

/** Hands the loop what it needs of the session for one prompt, and nothing else of it. */
export function buildTurn(
  state: SessionState,
  model: Model,
  toolSet: () => Promise<ToolSet>,
  emit: (event: TurnEvent) => Promise<void>,
): Turn {
  const { agent, cwd, additionalDirectories } = state
  return {
    model,
    conversation: state.conversation,
    calls: agent.history.callRecorder({ agent: agent.name, sessionId: state.id, turn: state.log.turn }),
    systemPrompt: () => toSystemPrompt({ agentPrompt: agent.systemPrompt, cwd, additionalDirectories, clients: clientsOf(state) }),
    toolSet,
    gate: state.gate,
    inspect: (tool) => inspect(state, tool),
    withinLimits({ tool, config, home }, work, signal) {
      // Waiting for a person is no work.
      if (tool.isInternal === true) return work()
      const isAgents = home.type === 'server' && home.owner === 'agent'
      const rate = home.type === 'local' ? undefined : rateOf(agent, home)
      const limits = isAgents ? agent.limits : state.limits
      return limits.run({ ref: tool.ref, maxInstances: config.maxInstances.value, rate }, work, signal)
    },
    guard: createLoopGuard(),
    usage: createUsageMeter(model.contextSize),
    stepsMax: agent.stepsMax,
    emit,
    logger: agent.logger,
    redactor: agent.redactor,
  }
}

function rateOf({ policies, sessionPolicy }: AgentSide, { client, owner }: ServerHome): Rate | undefined {
  return owner === 'agent' ? policies.get(client.name)?.rateLimit : sessionPolicy.rateLimit
}

function inspect(state: SessionState, offered: OfferedTool): Inspection {
  const { home } = offered
  return {
    facts: factsOf(state, offered),
    serverOrigin: home.type === 'local' ? undefined : toServerOrigin(home.client.config, state.agent.redactor),
    siblings() {
      if (home.type === 'local') return [factsOf(state, offered)]
      const same = toolsOf(state).filter((other) => other.home.type === 'server' && other.home.client === home.client)
      return same.map((other) => factsOf(state, other))
    },
  }
}

function factsOf({ agent, cwd }: SessionState, { tool, config, home }: OfferedTool): CallFacts {
  const policy = home.type === 'server' && home.owner === 'agent' ? agent.policies.get(home.client.name) : undefined
  const fallback = home.type === 'server' && home.owner === 'session' ? agent.sessionPolicy.approval : undefined
  return {
    ref: tool.ref,
    pin: pinOf(
      tool,
      home.type === 'local' ? { type: 'local' } : serverIdentity(home.client.config, home.owner === 'agent' ? undefined : cwd),
    ),
    approval: config.approval?.value ?? fallback,
    isInternal: tool.isInternal === true,
    isTrustedRead: policy?.trusted === true && tool.annotations?.readOnlyHint === true,
  }
}
