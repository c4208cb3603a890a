import type { Strike } from '../../base/clean-text.ts'
import { showHidden } from '../../base/strip-hidden.ts'
import { toMarkdownCode } from '../../base/markdown-text.ts'
import { tellModel, type AnswerCommand } from './command.ts'

export const stopCommand: AnswerCommand = {
  type: 'answer',
  name: 'stop',
  description: 'Stop a command that runs in the background, or all of them',
  hint: '[id]',
  isImmediate: true,
  async answer({ toolbox, record }, input) {
    const { strike } = record.membranes
    const running = toolbox.builtin.workspace?.commands.running() ?? []
    if (running.length === 0) return 'No command is running in the background.'
    const chosen = running.filter(({ id }) => input === '' || id === input)
    if (chosen.length === 0)
      return `There is no running command ${shown(strike(input))}. Running: ${describeRunning(running, strike)}.`
    await Promise.all(chosen.map((command) => command.stop()))
    const answer = `Stopped ${describeRunning(chosen, strike)}.`
    // Otherwise the model would assume that they are still running.
    tellModel(record.conversation, stopCommand.name, answer)
    return answer
  },
}

const lineCharsMax = 200

/** Secrets are redacted before a line is cut. */
export function describeRunning(
  commands: readonly { readonly id: string; readonly line: string }[],
  strike: Strike,
): string {
  return commands.map(({ id, line }) => `${shown(strike(line))} (${id})`).join(', ')
}

function shown(text: string): string {
  return toMarkdownCode(showHidden(text.replace(/\s+/g, ' ')).slice(0, lineCharsMax))
}
