import { OstlerError } from '../../base/errors.ts'
import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import type { ModelChoice } from '../../provider/model.ts'
import type { SessionState } from '../session-state.ts'
import { usageOf, type AnswerCommand } from './command.ts'

const listedMax = 40
const nameCharsMax = 300

export const modelCommand: AnswerCommand = {
  type: 'answer',
  name: 'model',
  description: 'Show the models, or choose one',
  hint: '[provider/model | part of a name]',
  isImmediate: true,
  async answer(state, input) {
    const { models } = state.agent
    if (input.length > nameCharsMax) return usageOf(modelCommand)
    if (input === '') return `${currentOf(state)}\n\n${listModels(models.list(), state.settings.current.model)}`
    const known = models.listAll()
    if (known.some(({ id }) => id === input)) return choose(state, input)
    const words = input.toLowerCase().split(/\s+/)
    const found = known.filter(({ id, name }) => words.every((word) => `${id} ${name}`.toLowerCase().includes(word)))
    const [only] = found
    if (only !== undefined && found.length === 1) return choose(state, only.id)
    if (found.length > 0) return `Several models match:\n\n${listModels(found, state.settings.current.model)}`
    return choose(state, input)
  },
}

async function choose(state: SessionState, id: string): Promise<string> {
  const { agent, settings } = state
  if (id === settings.current.model) return `The model is already \`${id}\`.`
  try {
    await agent.openModel(id)
  } catch (error) {
    if (error instanceof OstlerError) return toMarkdownText(error.message)
    throw error
  }
  settings.change({ model: id })
  return currentOf(state)
}

function currentOf({ agent, settings }: SessionState): string {
  const { model, thoughtLevel } = settings.current
  const levels = agent.models.thoughtLevels(model)
  const thinking = levels.length === 0 ? '' : ` Its level of thinking is ${thoughtLevel} (possible: default, ${levels.join(', ')}).`
  return `The model is \`${model}\`.${thinking}`
}

function listModels(models: readonly ModelChoice[], current: string): string {
  const lines = models.slice(0, listedMax).map(({ id, name }) => {
    const shown = id.endsWith(`/${name}`) ? '' : `: ${toMarkdownText(name)}`
    return `- ${toMarkdownCode(id)}${shown}${id === current ? ' (current)' : ''}`
  })
  const more = models.length - lines.length
  const hint = more > 0 ? `\n\n${more} more: \`/model\` with a part of the name finds them.` : ''
  return lines.join('\n') + hint
}
