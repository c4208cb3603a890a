import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { fence } from '@ostler/acp-server'
import { formatFullTime } from '../../terminal/format-quantity.ts'
import { toShown } from '../../terminal/format-table.ts'
import { withState } from '../../state/open-state.ts'
import { toPrintedJson } from '../../terminal/print-json.ts'
import { toConversation, type ConversationItem } from './to-conversation.ts'
import { readSession, type WholeSession } from '../../state/read-session.ts'
import { writeNewFile } from '../../terminal/write-new-file.ts'
import { sessionsExportCommand } from '../specs/sessions.ts'

export async function runSessionsExport(args: readonly string[]): Promise<number> {
  const line = readCommandLine(sessionsExportCommand, args)
  if (line === undefined) return 0
  const { format, output, force } = line.values
  const [id, ...others] = line.words
  if (id === undefined || others.length > 0) throw usageError(sessionsExportCommand, 'export needs the ID of one session')
  if (format !== 'md' && format !== 'json') throw usageError(sessionsExportCommand, '--format must be md or json')
  const found = await withState(line.values['state-dir'], process.env, (history) => readSession(history, id))
  const text = format === 'json' ? toPrintedJson(found) : toMarkdown(found)
  if (output === undefined || output === '-') process.stdout.write(text)
  else process.stderr.write(`Wrote ${writeNewFile(output, text, force)}\n`)
  return 0
}

function toMarkdown({ session, entries }: WholeSession): string {
  const { id, title, agent, model, cwd, additionalDirectories, createdAt, updatedAt } = session
  const head = [
    `- Session: \`${id}\``,
    `- Agent: ${inline(agent)}`,
    ...(model === null ? [] : [`- Model: ${inline(model)}`]),
    `- Directories: ${[cwd, ...additionalDirectories].map(inline).join(', ')}`,
    `- Begun: ${formatFullTime(createdAt)}`,
    `- Used last: ${formatFullTime(updatedAt)}`,
  ].join('\n')
  const items = toConversation(entries)
  return `${[`# ${oneLine(title ?? 'Untitled')}`, head, ...items.map((item, index) => toSection(item, items[index - 1]))].join('\n\n')}\n`
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
      const { ref, status, input, output } = item
      const name = ref.server === null ? ref.tool : `${ref.server}: ${ref.tool}`
      return [
        `### ${oneLine(name)} (${oneLine(status)})`,
        ...(input === undefined ? [] : [fence(toShown(JSON.stringify(input, null, 2)), 'json')]),
        ...(output.trim() === '' ? [] : [fence(toShown(output).trimEnd())]),
      ].join('\n\n')
    }
  }
}

function inline(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``
}

function oneLine(text: string): string {
  return toShown(text).replace(/\s+/g, ' ')
}
