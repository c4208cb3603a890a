import { fence } from '@ostler/agent-api/internal'
import { defineCommand, forceFlag, stateDirFlag, textFlag, usageError } from '../../command-line/command.ts'
import { readSession, type WholeSession } from '../../state/find-by-prefix.ts'
import { withState } from '../../state/with-state.ts'
import { toPath } from '../../state/places.ts'
import { formatFullTime } from '../../terminal/format-time.ts'
import { toPrintedJson } from '../../terminal/print.ts'
import { toShown, toShownLine } from '../../terminal/safe-text.ts'
import { toConversation, type ConversationItem } from './to-conversation.ts'
import { writeNewFile } from '../../terminal/write-new-file.ts'

export const command = defineCommand({
  synopsis: ['ID [options]'],
  about: 'Writes one conversation with its tool calls, to standard output or to a file.',
  flags: {
    format: textFlag('FORMAT', 'md (default) or json', { default: 'md', completion: ['md', 'json'] }),
    output: textFlag(
      'FILE',
      'Write it to this file, readable only by you; an existing file is not replaced. - is standard output',
      { short: 'o', completion: 'file' },
    ),
    force: forceFlag,
    'state-dir': stateDirFlag,
  },
  words: ['session', 'nothing'],
  needs: 'export needs the ID of one session',
  more: `The JSON is { "session", "entries", "calls" }: its details, its messages, and all calls in full.`,
  async run(io, { values, word: id }) {
    const { format, output, force } = values
    if (format !== 'md' && format !== 'json') throw usageError('--format must be md or json')
    const found = await withState(io, values, (state) => readSession(state, id))
    const text = format === 'json' ? toPrintedJson(found) : toMarkdown(found)
    if (output === undefined || output === '-') io.stdout.write(text)
    else io.stderr.write(`Wrote ${await writeNewFile(toPath(io, output), text, force)}\n`)
  },
})

function toMarkdown({ session, entries }: WholeSession): string {
  const { id, title, agent, model, cwd, additionalDirectories, createdAt, updatedAt } = session
  const head = [
    `- Session: \`${id}\``,
    `- Agent: ${inline(agent)}`,
    ...(model === null ? [] : [`- Model: ${inline(model)}`]),
    `- Directories: ${[cwd, ...additionalDirectories].map(inline).join(', ')}`,
    `- Started: ${formatFullTime(createdAt)}`,
    `- Last used: ${formatFullTime(updatedAt)}`,
  ].join('\n')
  const items = toConversation(entries)
  return `${[`# ${toShownLine(title ?? 'Untitled')}`, head, ...items.map((item, index) => toSection(item, items[index - 1]))].join('\n\n')}\n`
}

function toSection(item: ConversationItem, before: ConversationItem | undefined): string {
  switch (item.kind) {
    case 'prompt':
      return `## You\n\n${toShown(item.text).trim()}`
    case 'answer':
      return `${before === undefined || before.kind === 'prompt' ? '## Ostler\n\n' : ''}${toShown(item.text).trim()}`
    case 'thought':
    case 'note':
      return toShown(item.text).trim().replaceAll(/^/gm, '> ')
    case 'call': {
      const { name, status, input, output } = item
      return [
        `### ${toShownLine(name)} (${toShownLine(status)})`,
        ...(input === undefined ? [] : [fence(toShown(JSON.stringify(input, null, 2)), 'json')]),
        ...(output.trim() === '' ? [] : [fence(toShown(output).trimEnd())]),
      ].join('\n\n')
    }
  }
}

function inline(text: string): string {
  return `\`${toShownLine(text).replaceAll('`', "'")}\``
}
