import type { SessionConfigOption, SessionUpdate } from '@ostler/acp-server'
import { toRows } from '../../client/ask-permission.ts'
import { createHold } from '../run/create-hold.ts'
import { noticeText, waitText } from '../../client/notice-text.ts'
import {
  endMarkdown,
  feedMarkdown,
  markdownStart,
  markdownTail,
  saidRows,
  type MarkdownState,
} from '../../terminal/markdown.ts'
import { toSafeLine, toSafeText } from '../../terminal/safe-text.ts'
import type { KnownCommand } from './complete-prompt.ts'
import type { Screen } from './open-screen.ts'
import type { Status } from './to-live-rows.ts'
import { counted } from '@ostler/agent-api/internal'

const outputRowsMax = 8

export type ShownUpdates = ReturnType<typeof showUpdates>

export function showUpdates(screen: Screen) {
  const titles = new Map<string, string>()
  const message = createMessageView(screen)
  const { show, hold, resume } = createHold()
  let commands: readonly KnownCommand[] = []
  let options: readonly SessionConfigOption[] = []
  let told: string | undefined

  function showCall({ toolCallId, title, status, content }: Update<'tool_call_update'>): void {
    if (title) titles.set(toolCallId, toSafeLine(title))
    const name = titles.get(toolCallId) ?? toSafeLine(toolCallId)
    if (status === 'in_progress') screen.setStatus({ doing: name })
    if (status !== 'completed' && status !== 'failed') return
    message.end()
    titles.delete(toolCallId)
    const mark = status === 'completed' ? screen.style('green', '✓') : screen.style('red', '✗')
    screen.show([`${mark} ${name}`, ...contentRows(screen, content ?? [])])
    screen.setStatus({ doing: 'Thinking' })
  }

  function setOptions(changed: readonly SessionConfigOption[]): void {
    options = changed
    const valueOf = (wanted: string) =>
      toSafeLine(String(options.find(({ id }) => id === wanted)?.currentValue ?? ''))
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
    /** The description of the last notice of an error. */
    get told() {
      return told
    },
    /** Ends the message that is being shown, and shows these rows. */
    say: (rows: readonly string[]) =>
      show(() => {
        message.end()
        screen.show(rows)
      }),
    /** Holds back updates until `resume`, while a question stands. */
    pause(): void {
      message.end()
      hold()
    },
    resume,
    update: (update: SessionUpdate) => show(() => showUpdate(update)),
  }

  function showUpdate(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') message.add(update.messageId, update.content.text)
        return
      case 'tool_call':
        message.end()
        titles.set(update.toolCallId, toSafeLine(update.title))
        return
      case 'tool_call_update':
        showCall(update)
        return
      case 'plan':
        message.end()
        screen.show(planRows(screen, update))
        return
      case 'notice':
        message.end()
        if (update.severity === 'error') told = update.description ?? undefined
        screen.show(saidRows(noticeText(update), update.severity === 'info' ? 'dim' : 'yellow', screen))
        return
      case 'agent_thought_chunk': {
        const wait = waitText(update)
        if (wait === undefined) return
        message.end()
        screen.show(saidRows(wait, 'dim', screen))
        return
      }
      case 'compaction_update':
        if (update.status === 'completed')
          screen.show([screen.style('dim', 'Older messages were replaced with a summary for the model.')])
        return
      case 'usage_update':
        screen.setStatus(toStatus(update))
        return
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
  }
}

type Update<K extends SessionUpdate['sessionUpdate']> = Extract<SessionUpdate, { sessionUpdate: K }>

/** The message that grows at the bottom of the screen. */
function createMessageView(screen: Screen) {
  let message: { readonly id: string | null | undefined; readonly markdown: MarkdownState } | undefined
  const page = () => ({ columns: screen.columns(), style: screen.style })

  function end(): void {
    if (message === undefined) return
    screen.show([...endMarkdown(message.markdown, page()), ''])
    screen.setTail('')
    message = undefined
  }

  return {
    end,
    add(id: string | null | undefined, text: string): void {
      if (message !== undefined && message.id !== id) end()
      const { state, rows } = feedMarkdown(message?.markdown ?? markdownStart, toSafeText(text), page())
      message = { id, markdown: state }
      screen.show(rows)
      screen.setTail(markdownTail(state, page()))
    },
  }
}

function contentRows(
  { columns, style }: Screen,
  content: NonNullable<Update<'tool_call_update'>['content']>,
): readonly string[] {
  const rows = content.flatMap((item) => toRows(item, { columns: columns() - 2, style }))
  const left = rows.length - outputRowsMax
  const more = left > 0 ? [style('dim', `  … ${counted(left, 'more row')}`)] : []
  return [...rows.slice(0, outputRowsMax).map((row) => `  ${row}`), ...more]
}

const planMarks: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[>]', pending: '[ ]' }

function planRows({ style }: Screen, { entries }: Update<'plan'>): readonly string[] {
  return entries.map(({ status, content }) =>
    style('dim', `${planMarks[status] ?? '[ ]'} ${toSafeLine(content)}`),
  )
}

function toStatus({ used, size, cost }: Update<'usage_update'>): Partial<Status> {
  return {
    contextUsed: used,
    contextSize: size,
    ...(cost && { cost: { amount: cost.amount, currency: toSafeLine(cost.currency) } }),
  }
}
