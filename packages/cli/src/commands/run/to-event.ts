import type { SessionUpdate, ToolCallContent } from '@ostler/acp-server'
import { toPlainText } from '@ostler/agent-api/internal'

/** A line of `ostler run --json`, described in docs/terminal.md. Fields and types may be added, but keep their meaning. */
export type RunEvent =
  | {
      readonly type: 'session'
      readonly version: 1
      readonly sessionId: string
      readonly cwd: string
      readonly model?: string
      readonly mode?: string
      readonly continued: boolean
    }
  | {
      readonly type: 'text' | 'thought'
      readonly text: string
      readonly messageId?: string
      readonly isWait?: true
    }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly title: string
      readonly tool?: string
      readonly kind?: string
      readonly input?: unknown
    }
  | {
      readonly type: 'tool_update'
      readonly id: string
      readonly status?: string
      readonly title?: string
      readonly output?: string
    }
  | {
      readonly type: 'question'
      readonly id: string
      readonly title: string
      readonly answer: string
      readonly answeredBy: 'person' | 'nobody' | 'flag'
    }
  | {
      readonly type: 'plan'
      readonly entries: readonly {
        readonly content: string
        readonly status: string
        readonly priority: string
      }[]
    }
  | {
      readonly type: 'usage'
      readonly contextUsed: number
      readonly contextSize: number
      readonly cost?: { readonly amount: number; readonly currency: string }
    }
  | {
      readonly type: 'notice'
      readonly severity: string
      readonly title: string
      readonly description?: string
    }
  | { readonly type: 'compaction'; readonly status: string }
  | {
      readonly type: 'end'
      readonly reason: string
      readonly exitCode: number
      readonly answer: string
      readonly error?: string
    }

/** Undefined for updates that only matter to an editor. Fields that are undefined are not written. */
export function toEvent(update: SessionUpdate): RunEvent | undefined {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      const { content, messageId } = update
      if (content.type !== 'text') return undefined
      const type = update.sessionUpdate === 'agent_message_chunk' ? 'text' : 'thought'
      const isWait = update._meta?.['ostler/wait'] === true || undefined
      return { type, text: content.text, messageId: messageId ?? undefined, isWait }
    }
    case 'tool_call': {
      const { toolCallId: id, title, name, kind, rawInput: input } = update
      return { type: 'tool_call', id, title, tool: name ?? undefined, kind: kind ?? undefined, input }
    }
    case 'tool_call_update': {
      const { toolCallId: id, status, title, content } = update
      if (!status && !title && !content) return undefined
      return {
        type: 'tool_update',
        id,
        status: status ?? undefined,
        title: title || undefined,
        output: content ? outputOf(content) : undefined,
      }
    }
    case 'plan':
      return {
        type: 'plan',
        entries: update.entries.map(({ content, status, priority }) => ({ content, status, priority })),
      }
    case 'usage_update': {
      const { used, size, cost } = update
      return {
        type: 'usage',
        contextUsed: used,
        contextSize: size,
        cost: cost ? { amount: cost.amount, currency: cost.currency } : undefined,
      }
    }
    case 'notice': {
      const { severity, title, description } = update
      return { type: 'notice', severity, title, description: description || undefined }
    }
    case 'compaction_update':
      return { type: 'compaction', status: update.status }
    default:
      return undefined
  }
}

function outputOf(content: readonly ToolCallContent[]): string {
  return content
    .map((item) => {
      if (item.type === 'content') return toPlainText(item.content as Parameters<typeof toPlainText>[0])
      return item.type === 'diff' ? `[changed ${item.path}]` : ''
    })
    .join('\n')
}
