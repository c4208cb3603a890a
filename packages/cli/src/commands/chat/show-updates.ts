import type { SessionConfigOption, SessionUpdate } from '@ostler/acp-server'
import { toRows } from '../../client/ask-permission.ts'
import { endMarkdown, feedMarkdown, markdownStart, markdownTail, type MarkdownState } from '../../terminal/markdown.ts'
import { toSafeLine, toSafeText } from '../../terminal/safe-text.ts'
import type { KnownCommand } from './complete-prompt.ts'
import type { Screen } from './open-screen.ts'

const outputRowsMax = 8

export interface ShownUpdates {
  update(update: SessionUpdate): void
  /** Ends the message that is being shown. */
  endMessage(): void
  /** The commands of the agent. */
  readonly commands: readonly KnownCommand[]
  /** The settings of the session. */
  readonly options: readonly SessionConfigOption[]
  setOptions(options: readonly SessionConfigOption[]): void
}

interface Message {
  readonly id: string | null | undefined
  readonly markdown: MarkdownState
}

/** Shows the updates of a session on the screen. */
export function showUpdates(screen: Screen): ShownUpdates {
  const titles = new Map<string, string>()
  let message: Message | undefined
  let commands: readonly KnownCommand[] = []
  let options: readonly SessionConfigOption[] = []
  const page = () => ({ columns: screen.columns(), style: screen.style })
  const dim = (text: string) => screen.style('dim', text)

  function endMessage(): void {
    if (message === undefined) return
    screen.show([...endMarkdown(message.markdown, page()), ''])
    screen.setTail('')
    message = undefined
  }

  function addText(id: Message['id'], text: string): void {
    if (message !== undefined && message.id !== id) endMessage()
    const { state, rows } = feedMarkdown(message?.markdown ?? markdownStart, toSafeText(text), page())
    message = { id, markdown: state }
    screen.show(rows)
    screen.setTail(markdownTail(state, page()))
  }

  function showCall({ toolCallId, title, status, content }: Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>): void {
    if (title) titles.set(toolCallId, toSafeLine(title))
    const name = titles.get(toolCallId) ?? toSafeLine(toolCallId)
    if (status === 'in_progress') screen.setStatus({ doing: name })
    if (status !== 'completed' && status !== 'failed') return
    endMessage()
    titles.delete(toolCallId)
    const mark = status === 'completed' ? screen.style('green', '✓') : screen.style('red', '✗')
    const rows = (content ?? []).flatMap((item) => toRows(item, { ...page(), columns: page().columns - 2 }))
    const left = rows.length - outputRowsMax
    const more = left > 0 ? [dim(`  … ${left} more ${left === 1 ? 'row' : 'rows'}`)] : []
    screen.show([`${mark} ${name}`, ...rows.slice(0, outputRowsMax).map((row) => `  ${row}`), ...more])
    screen.setStatus({ doing: 'Thinking' })
  }

  function setOptions(changed: readonly SessionConfigOption[]): void {
    options = changed
    const valueOf = (wanted: string) => toSafeLine(String(options.find(({ id }) => id === wanted)?.currentValue ?? ''))
    screen.setStatus({ model: valueOf('model'), mode: valueOf('mode') })
  }

  return {
    get commands() {
      return commands
    },
    get options() {
      return options
    },
    setOptions,
    endMessage,
    update(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          if (update.content.type === 'text') addText(update.messageId, update.content.text)
          return
        case 'tool_call':
          endMessage()
          titles.set(update.toolCallId, toSafeLine(update.title))
          return
        case 'tool_call_update':
          showCall(update)
          return
        case 'plan': {
          endMessage()
          const marks: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[>]', pending: '[ ]' }
          screen.show(update.entries.map(({ status, content }) => dim(`${marks[status] ?? '[ ]'} ${toSafeLine(content)}`)))
          return
        }
        case 'notice': {
          endMessage()
          const text = toSafeLine([update.title, update.description].filter(Boolean).join(': '))
          screen.show([update.severity === 'info' ? dim(text) : screen.style('yellow', text)])
          return
        }
        case 'compaction_update':
          if (update.status === 'completed') screen.show([dim('Older messages were replaced with a summary for the model.')])
          return
        case 'usage_update': {
          const { used, size, cost } = update
          screen.setStatus({
            contextUsed: used,
            contextSize: size,
            ...(cost && { cost: { amount: cost.amount, currency: toSafeLine(cost.currency) } }),
          })
          return
        }
        case 'available_commands_update':
          commands = update.availableCommands.map(({ name, description }) => ({ name, description }))
          screen.refreshMenu()
          return
        case 'current_mode_update':
          screen.setStatus({ mode: toSafeLine(update.currentModeId) })
          return
        case 'config_option_update':
          setOptions(update.configOptions)
          return
        default:
      }
    },
  }
}
