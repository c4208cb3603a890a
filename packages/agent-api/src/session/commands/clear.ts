import { emptyGauge } from '../../context/gauge.ts'
import { usageOf, type AnswerCommand } from './command.ts'

export const clearCommand: AnswerCommand = {
  type: 'answer',
  name: 'clear',
  description: 'Start anew in this session: the model forgets everything before',
  async answer(state, input, { emit }) {
    if (input !== '') return usageOf(clearCommand)
    state.conversation.change({ type: 'cleared' })
    state.gauge.current = emptyGauge(state.settings.current.model)
    const contextSize = await sizeOf(state.agent.openModel(state.settings.current.model))
    if (contextSize !== undefined) {
      await emit({ type: 'usage', usage: { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize, isEstimate: true } })
    }
    return 'The model has forgotten the conversation. You still see it, and the servers and settings stay.'
  },
}

/** A model that cannot be opened has no size, but can be cleared all the same. */
function sizeOf(model: Promise<{ readonly contextSize: number }>): Promise<number | undefined> {
  return model.then(({ contextSize }) => contextSize).catch(() => undefined)
}
