import { styleText } from 'node:util'
import type { SessionSummary } from '@ostler/agent-api'
import { counted } from '@ostler/agent-api/internal'
import { defineCommand, stateFlags } from '../../command-line/command.ts'
import { readSession } from '../../state/find-by-prefix.ts'
import { withState } from '../../state/with-state.ts'
import { formatFullTime } from '../../terminal/format-time.ts'
import { print } from '../../terminal/print.ts'
import { toShown, toShownLine } from '../../terminal/safe-text.ts'
import { toConversation, type ConversationCall, type ConversationItem } from './to-conversation.ts'

export const command = defineCommand({
  synopsis: ['ID [options]'],
  about: 'Shows a conversation with its messages and tool calls. A prefix of its ID is enough.',
  flags: stateFlags,
  words: ['session', 'nothing'],
  needs: 'show needs the ID of one session',
  async run(io, { values, word: id }) {
    const found = await withState(io, values, (state) => readSession(state, id))
    print(io, values, found, ({ session, entries }) =>
      [formatHead(session), ...toConversation(entries).map(formatItem)].join('\n\n'),
    )
  },
})

function formatHead(session: SessionSummary): string {
  const { id, title, agent, model, cwd, additionalDirectories, createdAt, updatedAt } = session
  const about = [
    `Session ${id} of the agent ${agent}${model === null ? '' : `, with ${model}`}`,
    `In ${[cwd, ...additionalDirectories].join(', ')}`,
    `Started ${formatFullTime(createdAt)}, last used ${formatFullTime(updatedAt)}`,
  ].map((text) => styleText('dim', toShownLine(text)))
  return [styleText('bold', toShownLine(title ?? 'Untitled')), ...about].join('\n')
}

function formatItem(item: ConversationItem): string {
  switch (item.kind) {
    case 'prompt':
      return `${styleText(['bold', 'green'], 'You')}\n${toShown(item.text).trimEnd()}`
    case 'answer':
      return toShown(item.text).trim()
    case 'thought':
    case 'note':
      return dim(item.text)
    case 'call':
      return formatCall(item)
  }
}

const shownLines = 4
const shownColumns = 160

function formatCall({ name, status, input, output }: ConversationCall): string {
  const style = status === 'success' ? 'green' : ['error', 'interrupted'].includes(status) ? 'red' : 'yellow'
  const args = input === undefined ? '' : ` ${oneLine(JSON.stringify(input))}`
  const lines = toShown(output).trim().split('\n')
  const shown = lines.slice(0, shownLines).map((line) => dim(`  ${cut(line)}`))
  const left = lines.length - shownLines
  return [
    `${styleText('bold', oneLine(name))} ${styleText(style, oneLine(status))}${dim(args)}`,
    ...(output.trim() === '' ? [] : shown),
    ...(left > 0 ? [dim(`  … ${counted(left, 'more line')}`)] : []),
  ].join('\n')
}

function dim(text: string): string {
  return styleText('dim', toShown(text).trimEnd())
}

function oneLine(text: string): string {
  return cut(toShownLine(text))
}

function cut(text: string): string {
  return text.length <= shownColumns ? text : `${text.slice(0, shownColumns)}…`
}
