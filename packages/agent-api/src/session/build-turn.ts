import { forModel } from '../context/gauge.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Model } from '../provider/model.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { Turn } from '../turn/turn.ts'
import { createUsageMeter } from '../turn/usage-meter.ts'
import { acquireSlot, confirmTool, inspectTool } from './call-tools.ts'
import type { Session } from './session.ts'
import { noteTouched, type SessionMemory } from './session-memory.ts'
import { toSystemPrompt } from './system-prompt.ts'
import { enabledClients } from './toolbox.ts'
import { createTurnTools } from './turn-tools.ts'

/** Provides the turn with what it needs from the session for one prompt. */
export function buildTurn(
  { project, toolbox, record, person, models, turns, logger }: Session,
  model: Model,
  next: () => Promise<ToolSet>,
  emit: (event: TurnEvent) => Promise<void>,
): Turn {
  const { memory, settings, membranes } = record
  memory.gauge = forModel(memory.gauge, model.id)
  const gauge = gaugeIn(memory)
  return {
    model,
    settings: { ...turns, thoughtLevel: settings.current.thoughtLevel, cacheKey: record.id },
    openSideModel: () => models.openSide(settings.current.model),
    conversation: record.conversation,
    gauge,
    usage: createUsageMeter({ model, gauge, cost: record.cost }),
    project: {
      systemPrompt: () =>
        toSystemPrompt(project, memory.briefing, settings.current.mode, enabledClients(toolbox)),
      async notes() {
        const { instructionsOf, notesForStep } = await import('./brief.ts')
        return notesForStep(project, record, instructionsOf(enabledClients(toolbox)), model.contextSize)
      },
    },
    tools: {
      next,
      nextFor: (task) => createTurnTools(toolbox, model, task),
      confirm: (tool, signal) => confirmTool(toolbox, tool, signal),
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
