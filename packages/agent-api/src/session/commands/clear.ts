import { afterChange, forModel } from '../../context/gauge.ts'
import { usageOf, type AnswerCommand } from './command.ts'

export const clearCommand: AnswerCommand = {
  type: 'answer',
  name: 'clear',
  description: 'Start over in this session: the model forgets everything before',
  async answer({ record, models }, input, _signal, emit) {
    if (input !== '') return usageOf(clearCommand)
    const { conversation, settings, memory } = record
    conversation.change({ type: 'cleared' })
    const { model } = settings.current
    // A smaller window that was learned from a refusal is kept.
    memory.gauge = afterChange(forModel(memory.gauge, model))
    const size = await sizeOf(models.open(model))
    if (size !== undefined) {
      const contextSize = Math.min(size, memory.gauge.sizeMax)
      await emit({
        type: 'usage',
        usage: { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize, isEstimate: true },
      })
    }
    return 'The model has forgotten the conversation. You still see it, and the servers and settings stay.'
  },
}

/** A model that cannot be opened has no size. The conversation can still be cleared. */
function sizeOf(model: Promise<{ readonly contextSize: number }>): Promise<number | undefined> {
  return model.then(({ contextSize }) => contextSize).catch(() => undefined)
}
