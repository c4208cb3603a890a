import { measureTools } from '../../context/estimate-tokens.ts'
import { buildTurn } from '../build-turn.ts'
import { preloadTurn } from '../preload-turn.ts'
import type { AnswerCommand } from './command.ts'

export const compactCommand: AnswerCommand = {
  type: 'answer',
  name: 'compact',
  description: 'Replace the older messages with a summary, to make room for the model',
  hint: '[what to keep]',
  async answer(session, input, signal, emit) {
    const [model, , { createTurnTools }] = await preloadTurn(session)
    const { compact } = await import('../../context/compact.ts')
    const toolsOfTurn = createTurnTools(session.toolbox, model, input, session.record)
    const turn = buildTurn(session, model, toolsOfTurn, emit)
    const { wireTools } = await toolsOfTurn.next()
    const tools = await measureTools(wireTools, model.vendor)
    const frame = { systemPrompt: turn.project.systemPrompt(), tools }
    const outcome = await compact(turn, frame, { isOpen: false, isForced: false, keep: input }, signal)
    switch (outcome) {
      case 'compacted':
        return `The model now reads a summary: about ${turn.usage.total().contextUsed.toLocaleString('en')} tokens instead of all messages. You still see all of them.`
      case 'too_few':
        return 'The conversation is too short to summarize.'
      case 'failed':
        return 'The conversation stays as it is.'
    }
  },
}
