import { OstlerError } from '../../base/errors.ts'
import { createMessageId } from '../../base/ids.ts'
import { text } from '../../messages/content.ts'
import type { Message } from '../../messages/message.ts'
import type { Project } from '../project.ts'
import type { PromptCommand } from './command.ts'

export function customCommands({ commands }: Project): PromptCommand[] {
  return commands.map(({ name, description, prompt, hint }) => ({
    type: 'prompt',
    name,
    description,
    hint: hint ?? (prompt.includes(placeholder) ? '[arguments]' : undefined),
    toMessages: (input) => [toMessage(withArguments(prompt, input))],
  }))
}

export function skillCommands({ skills, texts }: Project): PromptCommand[] {
  return skills.list.map((skill) => ({
    type: 'prompt',
    name: skill.name,
    description: skill.description,
    hint: '[task]',
    async toMessages(input) {
      const { readSkill } = await import('../../context/skills.ts')
      const read = await readSkill(skill, texts.clean)
      if (read === undefined)
        throw new OstlerError(
          'prompt.no_skill',
          `The skill '${skill.name}' cannot be read any more: ${skill.folder}`,
        )
      const task = input === '' ? '' : `\n\n${input}`
      return [
        toMessage(
          `Use the skill '${skill.name}'. Its folder is ${skill.folder}.\n\n<skill>\n${read.trim()}\n</skill>${task}`,
        ),
      ]
    },
  }))
}

const placeholder = '$ARGUMENTS'

/** Arguments without a place in the prompt come after it, so that nothing is lost. */
function withArguments(prompt: string, input: string): string {
  if (prompt.includes(placeholder)) return prompt.replaceAll(placeholder, () => input)
  return input === '' ? prompt : `${prompt}\n\n${input}`
}

function toMessage(value: string): Message {
  return { role: 'user', id: createMessageId(), content: [text(value)] }
}
