import type { TurnEvent } from '../messages/turn-event.ts'
import type { Model } from '../provider/model.ts'
import { getIncludedTools } from '../provider/provider-helper.ts'
import { createLoopGuard } from '../turn/loop-guard.ts'
import type { Turn } from '../turn/turn.ts'
import { createUsageMeter } from '../turn/usage-meter.ts'
import { toServerOrigin } from './server-origin.ts'
import { clientsOf, toolsOf, type SessionState } from './session-state.ts'
import { toSystemPrompt } from './system-prompt.ts'

/** Hands the loop what it needs of the session for one prompt, and nothing else of it. */
export function buildTurn(state: SessionState, model: Model, emit: (event: TurnEvent) => Promise<void>): Turn {
  const { agent, cwd, additionalDirectories } = state
  return {
    model,
    messages: state.messages,
    systemPrompt: () => toSystemPrompt({ agentPrompt: agent.systemPrompt, cwd, additionalDirectories, clients: clientsOf(state) }),
    toolSet: () => getIncludedTools(toolsOf(state), clientsOf(state)),
    originOf({ server }) {
      const client = server === null ? undefined : clientsOf(state).get(server)
      return client && agent.redactor.redact(toServerOrigin(client.config))
    },
    gate: state.gate,
    guard: createLoopGuard(),
    usage: createUsageMeter(model.contextSize),
    stepsMax: agent.stepsMax,
    emit,
    logger: agent.logger,
    redactor: agent.redactor,
  }
}
