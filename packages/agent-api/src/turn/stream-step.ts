import { OstlerError } from '../base/errors.ts'
import type { AssistantMessage } from '../messages/message.ts'
import type { StopReason } from '../messages/turn-event.ts'
import { estimateRequest, estimateMessage, type MeasuredTools } from '../context/estimate-tokens.ts'
import { outputTokensLimit } from '../context/room-ports.ts'
import { streamModel } from '../provider/stream-model.ts'
import { toModelCall } from '../provider/to-model-call.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { createReplyDraft, type ReplyDraft } from './reply-draft.ts'
import { createWaitTeller } from './tell-waits.ts'
import type { Turn } from './turn.ts'

/** The tools of a step, measured, and found by name. */
export type StepTools = MeasuredTools & Pick<ToolSet, 'find'>

export interface StepReply extends Pick<ReplyDraft, 'callsLeftOut'> {
  readonly message: AssistantMessage
  readonly stopReason: StopReason
}

/**
 * Streams one answer of the model. Its calls count only once the answer is complete. After a broken stream or at the token limit, the text
 * stays in the conversation and nothing runs.
 */
export async function streamStep(turn: Turn, tools: StepTools, signal: AbortSignal): Promise<StepReply> {
  const draft = createReplyDraft(turn.model.vendor)
  try {
    await readStream(turn, tools, draft, signal)
  } catch (error) {
    if (!signal.aborted) {
      const message = draft.message({ withCalls: false })
      if (message.parts.length > 0) turn.conversation.add(message)
      throw error
    }
  }
  if (signal.aborted)
    return { message: draft.message({ withCalls: false }), callsLeftOut: 0, stopReason: 'cancelled' }
  const stopReason = toStopReason(turn, draft)
  return {
    message: draft.message({ withCalls: stopReason === 'end_turn' }),
    callsLeftOut: draft.callsLeftOut,
    stopReason,
  }
}

async function readStream(
  turn: Turn,
  tools: StepTools,
  draft: ReplyDraft,
  signal: AbortSignal,
): Promise<void> {
  const frame = { systemPrompt: turn.project.systemPrompt(), tools }
  const { messages } = turn.conversation
  const { model, settings, logger } = turn
  const { thoughtLevel, cacheKey, searchRefusedBy, timing } = settings
  const call = {
    ...(await toModelCall(model, {
      ...frame,
      tools: tools.wireTools,
      messages,
      thoughtLevel,
      cacheKey,
      searchRefusedBy,
      outputTokensMax: settings.outputTokensMax ?? outputTokensLimit(turn, frame),
    })),
    ...settings.sampling,
  }
  using waits = createWaitTeller(turn.emit, timing.modelPatienceMs)
  const limits = { retryDelayMs: timing.modelRetryMs }
  const onCallNamed = (wireName: string) => {
    const tool = tools.find(wireName)
    if (tool !== undefined) turn.tools.expect(tool, signal)
  }
  const options = { signal, logger, onRetry: waits.waits, onCallNamed, limits }
  for await (const part of streamModel(model, call, options)) {
    waits[Symbol.dispose]()
    const event = draft.add(part)
    if (event !== undefined) await turn.emit(event)
    if (part.type === 'finish') {
      turn.usage.add(
        part.usage,
        estimateRequest(frame, messages),
        estimateMessage(draft.message({ withCalls: true })),
      )
      await turn.emit({ type: 'usage', usage: turn.usage.total() })
    }
    if (signal.aborted) return
  }
}

function toStopReason({ model, logger }: Turn, draft: ReplyDraft): StopReason {
  const reason = draft.finishReason()
  switch (reason?.unified) {
    case 'stop':
    case 'tool-calls':
      return 'end_turn'
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      return 'refusal'
    case 'error':
      if (reason.raw === 'MALFORMED_FUNCTION_CALL')
        throw new OstlerError(
          'model.malformed_call',
          `${model.vendorName} could not complete its answer: the model wrote a tool call that is not valid.`,
        )
      throw new OstlerError('model.failed', `${model.vendorName} ended its answer with an error.`)
    default:
      logger.info('unknown stop reason of the model; treated as the end of the turn', { reason: reason?.raw })
      return 'end_turn'
  }
}
