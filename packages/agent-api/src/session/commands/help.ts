import { suggest } from '../../base/did-you-mean.ts'
import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import type { SlashCommand } from '../chat-session.ts'
import type { Session } from '../session.ts'
import { toUse, usageOf, type AnswerCommand } from './command.ts'

export function createHelpCommand(list: (session: Session) => readonly SlashCommand[]): AnswerCommand {
  return {
    type: 'answer',
    name: 'help',
    description: 'List the commands, or explain one',
    hint: '[command]',
    isImmediate: true,
    async answer(session, input) {
      const commands = list(session)
      if (input === '') {
        const lines = commands.map(
          (command) => `- ${toMarkdownCode(toUse(command))}: ${toMarkdownText(command.description)}`,
        )
        return `${lines.join('\n')}\n\n${await (await import('../brief.ts')).describeKnowledge(session.project, session.record.memory)}`
      }
      const wanted = input.replace(/^\//, '')
      const command = commands.find(({ name }) => name === wanted)
      if (command !== undefined) return `${toMarkdownText(command.description)}. ${usageOf(command)}`
      const names = commands.map(({ name }) => name)
      return `There is no command ${toMarkdownCode(wanted)}${toMarkdownText(suggest(wanted, names)) || '; `/help` lists the commands.'}`
    },
  }
}
