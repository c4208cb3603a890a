import { createToolCallId } from '../base/ids.ts'
import { isRecord } from '../base/is-record.ts'
import type { CallRecorder } from '../history/call.ts'
import { recorded, type CallOutcome } from '../history/recorded.ts'
import type { McpElicitation } from '../mcp/mcp-client.ts'
import type { FormAnswer } from '../messages/tool.ts'
import { answerRule, type PlacedAnswer } from '../policy/answer-rule.ts'

/** The name under which the history stores questions of servers, besides `sampling`. */
const questionTool = 'elicitation'

type Asked =
  | Omit<Extract<McpElicitation, { mode: 'form' }>, 'elicitationId'>
  | Omit<Extract<McpElicitation, { mode: 'url' }>, 'elicitationId'>

/**
 * Records that a server asked, and how and where it was answered. The typed values are not recorded, and of a page, only its host is. A
 * question that ends with its turn is recorded as cancelled.
 */
export async function recordAnswer(
  calls: CallRecorder,
  request: Asked,
  ask: () => Promise<PlacedAnswer>,
  signal: AbortSignal,
): Promise<FormAnswer> {
  const start = { id: createToolCallId(), server: request.server, tool: questionTool, arguments: toRecorded(request) }
  let given: FormAnswer = { action: 'cancel' }
  await recorded(calls, start, async (record) => {
    const placed = await ask().catch((error: unknown): PlacedAnswer => {
      if (!signal.aborted) throw error
      return { answer: { action: 'cancel' } }
    })
    given = placed.answer
    const { decision, rule } = answerRule(placed)
    record.decided(decision, rule)
    return toOutcome(given)
  })
  return given
}

function toRecorded(request: Asked): Readonly<Record<string, unknown>> {
  const { mode, message } = request
  if (mode === 'url') return { mode, message, host: URL.parse(request.url)?.host ?? '' }
  const { properties } = request.schema
  return { mode, message, fields: isRecord(properties) ? Object.keys(properties) : [] }
}

const texts = { decline: 'The person declined to answer.', cancel: 'The question was closed without an answer.' } as const
const outcomes = { decline: 'denied', cancel: 'cancelled' } as const

function toOutcome({ action }: FormAnswer): CallOutcome {
  if (action === 'accept') return { outcome: 'success', result: { isError: false, content: [] } }
  return { outcome: outcomes[action], result: { isError: true, content: [{ type: 'text', text: texts[action] }] } }
}
