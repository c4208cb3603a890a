import type { RequestPermissionRequest, RequestPermissionResponse, ToolCallContent } from '@ostler/acp-server'
import { formatDiff } from '../terminal/format-diff.ts'
import { endMarkdown, feedMarkdown, markdownStart, type Page } from '../terminal/markdown.ts'
import { toSafeLine, toSafeText } from '../terminal/safe-text.ts'
import type { Choice, Person } from './person.ts'

/** Shows the whole call, and asks whether it may run. Without an answer, the turn is cancelled. */
export async function askPermission(
  person: Person,
  { toolCall, options }: RequestPermissionRequest,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  const page = { columns: person.columns(), style: person.style }
  const title = toSafeLine(toolCall.title ?? toolCall.toolCallId)
  person.show([
    '',
    person.style('bold', title),
    ...(toolCall.content ?? []).flatMap((content) => toRows(content, page)),
  ])
  const optionId = await person.choose('Allow this call?', toChoices(options), signal)
  return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
}

export function toRows(content: ToolCallContent, page: Page): readonly string[] {
  switch (content.type) {
    case 'diff':
      return formatDiff(content, page.style)
    case 'content':
      return content.content.type === 'text'
        ? markdownRows(content.content.text, page)
        : [`[${content.content.type}]`]
    default:
      return []
  }
}

export function markdownRows(text: string, page: Page): readonly string[] {
  const { state, rows } = feedMarkdown(markdownStart, toSafeText(text), page)
  return [...rows, ...endMarkdown(state, page)]
}

const keys: Readonly<Record<string, string>> = { allow_once: 'y', reject_once: 'n' }

/** Single answers have the usual keys, and the others have a number. */
function toChoices(options: RequestPermissionRequest['options']): readonly Choice[] {
  const isOnly = (kind: string) => options.filter((option) => option.kind === kind).length === 1
  return options.map(({ optionId, name, kind }, index) => ({
    id: optionId,
    key: (isOnly(kind) ? keys[kind] : undefined) ?? String(index + 1),
    label: toSafeLine(name),
  }))
}

export function refuse({ options }: RequestPermissionRequest): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === 'reject_once')
  return {
    outcome:
      option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
  }
}
