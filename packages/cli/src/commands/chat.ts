import { OstlerError } from '@ostler/agent-api'
import { defineCommand } from '../command-line/command.ts'
import { sessionFlags } from './run/session-flags.ts'

export const command = defineCommand({
  synopsis: ['[PROMPT...] [options]'],
  about:
    'Chats with the agent in the terminal, in the current folder. A prompt on the command line is the first one.',
  flags: sessionFlags,
  words: ['nothing'],
  more: `Keys:
  Enter          send                       Esc, Ctrl-C    cancel the answer
  Alt-Enter, \\   a new line                 Ctrl-D         end the chat
  Tab            complete                   Up, Down       earlier lines

/help lists the commands of the agent. The path of an image attaches it, and @PATH attaches a link to a file.`,
  async run(io, { values, words }) {
    const [{ parseSessionFlags }, { runChat }] = await Promise.all([
      import('./run/open-conversation.ts'),
      import('./chat/run-chat.ts'),
    ])
    const wish = parseSessionFlags(values)
    if (io.stdin.isTTY !== true || io.stdout.isTTY !== true)
      throw new OstlerError('command.no_terminal', 'A chat needs a terminal. Use `ostler run` without one.')
    if (io.env['TERM'] === 'dumb')
      throw new OstlerError(
        'command.no_terminal',
        'This terminal cannot move its cursor (TERM=dumb). Use `ostler run` in it.',
      )
    return runChat(io, { values, wish, first: words.join(' ') })
  },
})
