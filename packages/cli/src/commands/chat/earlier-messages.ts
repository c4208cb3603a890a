import type { SessionUpdate } from '@ostler/acp-server'
import { markdownRows } from '../../client/ask-permission.ts'
import type { Page } from '../../terminal/markdown.ts'
import { toSafeLine, toSafeText } from '../../terminal/safe-text.ts'

/** The last messages of a conversation that is continued, each with its beginning. */
export interface EarlierMessages {
  readonly items: readonly EarlierItem[]
  /** The number of earlier messages. */
  readonly left: number
}

type EarlierItem =
  | { readonly type: 'prompt' | 'answer'; readonly id: string | null | undefined; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly title: string; readonly status: string }

const itemsMax = 10
/** More than is shown of any message. */
const textCharsMax = 4_000
const promptRowsMax = 4
const answerRowsMax = 8

export const noEarlierMessages: EarlierMessages = { items: [], left: 0 }

const stateUpdates: ReadonlySet<SessionUpdate['sessionUpdate']> = new Set([
  'usage_update',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
])

/** True for an update about the current state of the session, which is not part of the conversation. */
export function setsState({ sessionUpdate }: SessionUpdate): boolean {
  return stateUpdates.has(sessionUpdate)
}

/** Adds an update of a session that is being loaded. */
export function addEarlier(before: EarlierMessages, update: SessionUpdate): EarlierMessages {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk': {
      const { content, messageId: id } = update
      const type = update.sessionUpdate === 'user_message_chunk' ? 'prompt' : 'answer'
      const text = content.type === 'text' ? content.text : `[${content.type}] `
      const last = before.items.at(-1)
      if (last?.type !== type || last.id !== id)
        return withItem(before, { type, id, text: text.slice(0, textCharsMax) })
      return {
        ...before,
        items: [...before.items.slice(0, -1), { ...last, text: (last.text + text).slice(0, textCharsMax) }],
      }
    }
    case 'tool_call':
      return withItem(before, {
        type: 'call',
        id: update.toolCallId,
        title: update.title,
        status: update.status ?? 'pending',
      })
    case 'tool_call_update': {
      const { toolCallId, title, status } = update
      const change = { ...(title && { title }), ...(status && { status }) }
      return {
        ...before,
        items: before.items.map((item) =>
          item.type === 'call' && item.id === toolCallId ? { ...item, ...change } : item,
        ),
      }
    }
    default:
      return before
  }
}

function withItem({ items, left }: EarlierMessages, item: EarlierItem): EarlierMessages {
  const dropped = items.length >= itemsMax ? 1 : 0
  return { items: [...items.slice(dropped), item], left: left + dropped }
}

export function toEarlierRows({ items, left }: EarlierMessages, page: Page): readonly string[] {
  const head =
    left > 0
      ? [page.style('dim', `… ${left} earlier ${left === 1 ? 'message or call' : 'messages and calls'}`), '']
      : []
  return [...head, ...items.flatMap((item) => toItemRows(item, page))]
}

function toItemRows(item: EarlierItem, page: Page): readonly string[] {
  const { style } = page
  switch (item.type) {
    case 'prompt':
      return [...shortened(promptRows(item.text.trim(), page), promptRowsMax, page), '']
    case 'answer':
      return [...shortened(markdownRows(item.text.trim(), page), answerRowsMax, page), '']
    case 'call': {
      const mark = item.status === 'completed' ? style('green', '✓') : style('red', '✗')
      return [`${mark} ${toSafeLine(item.title)}`]
    }
  }
}

export function promptRows(text: string, { style }: Pick<Page, 'style'>): readonly string[] {
  const lines = toSafeText(text).split('\n')
  return lines.map((line, index) => style('bold', `${index === 0 ? '> ' : '  '}${line}`))
}

function shortened(rows: readonly string[], rowsMax: number, { style }: Page): readonly string[] {
  const left = rows.length - rowsMax
  return left <= 1 ? rows : [...rows.slice(0, rowsMax), style('dim', `… ${left} more rows`)]
}
