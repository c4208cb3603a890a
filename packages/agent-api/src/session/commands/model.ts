import { OstlerError } from '../../base/errors.ts'
import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import type { ModelChoice } from '../../provider/model.ts'
import type { Session } from '../session.ts'
import { usageOf, type AnswerCommand } from './command.ts'

const listedMax = 40
const nameCharsMax = 300

type Choosing = Pick<Session, 'models' | 'record'>

export const modelCommand: AnswerCommand = {
  type: 'answer',
  name: 'model',
  description: 'Show the models, or choose one',
  hint: '[provider/model | part of a name]',
  isImmediate: true,
  async answer(session, input) {
    const { models, record } = session
    const { model } = record.settings.current
    if (input.length > nameCharsMax) return usageOf(modelCommand)
    if (input === '') return `${currentOf(session)}\n\n${listModels(models.list(), model)}`
    const known = models.listAll()
    if (known.some(({ id }) => id === input)) return choose(session, input)
    const words = input.toLowerCase().split(/\s+/)
    const found = known.filter(({ id, name }) =>
      words.every((word) => `${id} ${name}`.toLowerCase().includes(word)),
    )
    const [only] = found
    if (only !== undefined && found.length === 1) return choose(session, only.id)
    if (found.length > 0) return `Several models match:\n\n${listModels(found, model)}`
    return choose(session, input)
  },
}

async function choose(session: Choosing, id: string): Promise<string> {
  const { settings } = session.record
  if (id === settings.current.model) return `The model is already \`${id}\`.`
  try {
    await session.models.open(id)
  } catch (error) {
    if (error instanceof OstlerError) return toMarkdownText(error.message)
    throw error
  }
  settings.change({ model: id })
  return currentOf(session)
}

function currentOf({ models, record }: Choosing): string {
  const { model, thoughtLevel } = record.settings.current
  const levels = models.thoughtLevels(model)
  const thinking =
    levels.length === 0
      ? ''
      : ` Its level of thinking is ${thoughtLevel} (possible: default, ${levels.join(', ')}).`
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
