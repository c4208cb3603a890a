import { createMessageId, type ToolCallId } from '../base/ids.ts'
import { afterChange } from '../context/gauge.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import { text } from '../messages/content.ts'
import { answerText } from '../messages/message.ts'
import { createConversation } from '../messages/conversation.ts'
import { errorResult, type ToolCallContext, type ToolResult } from '../messages/tool.ts'
import type { StopReason, TurnEvent } from '../messages/turn-event.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { runTurn } from './run-turn.ts'
import type { Turn } from './turn.ts'
import { createUsageMeter } from './usage-meter.ts'

const stepsMax = 50
const shownCallsMax = 30
/** A task cannot delegate further. The plan belongs to the conversation. */
const omittedTools: ReadonlySet<string> = new Set(['delegate', 'update_plan'])

const instructions = `You work on one task that was delegated to you, in a context of your own. Nobody answers questions. When the task is done,
answer with the result alone: it is all that the one who delegated it reads.`

/** It has the tools, limits and permissions of the turn. Its calls are shown with the call that started it. */
export async function runDelegated(
  turn: Turn,
  task: string,
  { toolCallId, signal, show }: ToolCallContext,
): Promise<ToolResult> {
  const calls = createCallList()
  const { settings, project, tools } = turn
  const next = tools.nextFor(task)
  const conversation = createConversation({
    messages: [{ role: 'user', id: createMessageId(), content: [text(task)] }],
  })
  const inner: Turn = {
    ...turn,
    ...ownUsage(turn),
    conversation,
    settings: { ...settings, cacheKey: toolCallId, stepsMax: Math.min(settings.stepsMax, stepsMax) },
    project: {
      systemPrompt: () => `${project.systemPrompt()}\n\n${instructions}`,
      // Instructions for files go to the conversation, which lasts longer than the task.
      notes: () => Promise.resolve([]),
    },
    tools: { ...tools, next: async () => withoutTools(await next()) },
    emit(event) {
      if (calls.add(event)) show([text(calls.toText())])
      return emitOfTask(turn, toolCallId, event)
    },
  }
  try {
    const stopReason = await runTurn(inner, signal)
    if (stopReason === 'cancelled') return { ...errorResult('cancelled'), isCancelled: true }
    return toResult(stopReason, lastAnswer(conversation.messages), calls.toText())
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    return errorResult(`The task failed: ${messageOf(error)}`)
  }
}

/** The task fills a window of its own. Its tokens count for the turn. */
function ownUsage(turn: Turn): Pick<Turn, 'gauge' | 'usage'> {
  const gauge = { current: afterChange(turn.gauge.current) }
  const meter = createUsageMeter({ model: turn.model, gauge, cost: { current: undefined } })
  return {
    gauge,
    usage: {
      ...meter,
      add(usage, ...estimates) {
        meter.add(usage, ...estimates)
        turn.usage.addSide(usage)
      },
      addSide: turn.usage.addSide,
    },
  }
}

function withoutTools(tools: ToolSet): ToolSet {
  return {
    ...tools,
    wireTools: tools.wireTools.filter(({ name }) => !omittedTools.has(name)),
    find: (name) => (omittedTools.has(name) ? undefined : tools.find(name)),
  }
}

/** The person sees the calls, and why they wait. What the model of the task writes is the result of the call that started it. */
async function emitOfTask(turn: Turn, parentId: ToolCallId, event: TurnEvent): Promise<void> {
  switch (event.type) {
    case 'tool_call':
      return turn.emit({ ...event, call: { ...event.call, parentId } })
    case 'tool_call_update':
      return turn.emit(event)
    case 'usage':
      return turn.emit({ type: 'usage', usage: turn.usage.total() })
    case 'thought':
      return event.isWait === true ? turn.emit(event) : undefined
    default:
  }
}

function lastAnswer(messages: Turn['conversation']['messages']): string {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? answerText(last).trim() : ''
}

const unfinished: Partial<Record<StopReason, string>> = {
  max_turn_requests: 'The task was not finished: it reached its limit of requests.',
  max_tokens: "The answer was cut off at the model's limit.",
  refusal: 'The model refused to continue.',
}

function toResult(stopReason: StopReason, answer: string, calls: string): ToolResult {
  const note = unfinished[stopReason]
  const said = [answer, note].filter((part) => part !== undefined && part !== '').join('\n\n')
  const forPerson = calls === '' ? [] : [{ ...text(calls), annotations: { audience: ['user' as const] } }]
  return {
    isError: note !== undefined || said === '',
    content: [text(said === '' ? 'The task has no answer.' : said), ...forPerson],
  }
}

function createCallList() {
  const lines = new Map<ToolCallId, { readonly title: string; readonly end?: string }>()
  return {
    add(event: TurnEvent): boolean {
      if (event.type === 'tool_call') lines.set(event.call.id, { title: event.call.title })
      else if (event.type !== 'tool_call_update' || event.update.end === undefined) return false
      else lines.set(event.id, { title: lines.get(event.id)?.title ?? '', end: event.update.end })
      return true
    },
    toText() {
      const all = [...lines.values()].map(
        ({ title, end }) => `- ${title}${end === undefined ? ' …' : end === 'success' ? '' : `: ${end}`}`,
      )
      const hidden = all.length - shownCallsMax
      return [...(hidden > 0 ? [`${hidden} earlier calls`] : []), ...all.slice(-shownCallsMax)].join('\n')
    },
  }
}
