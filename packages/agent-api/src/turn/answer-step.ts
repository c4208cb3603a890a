import { OstlerError } from '../base/errors.ts'
import { measureMessages, measureTools } from '../context/estimate-tokens.ts'
import { explainRefusal, makeRoom, makeRoomAfterRefusal } from '../context/make-room.ts'
import { isSilent } from '../messages/message.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { streamStep, type StepReply, type StepTools } from './stream-step.ts'
import type { Turn } from './turn.ts'
import { createMessageId } from '../base/ids.ts'

/** A request that the vendor refuses because of its length is repeated once, shorter. */
export async function answerStep(turn: Turn, toolSet: ToolSet, signal: AbortSignal): Promise<StepReply> {
  const { conversation, model } = turn
  const { wireTools, find } = toolSet
  const tools = { ...(await measureTools(wireTools, model.vendor)), find }
  const frame = () => ({ systemPrompt: turn.project.systemPrompt(), tools })
  await measureMessages(conversation.messages)
  await addNotes(turn, toolSet)
  const { messages } = conversation
  await makeRoom(turn, frame(), signal)
  // Notes that a summary has replaced are needed again.
  if (conversation.messages !== messages) await addNotes(turn, toolSet)
  try {
    return await completeStep(turn, tools, signal)
  } catch (error) {
    if (!isTooLong(error)) throw error
    await makeRoomAfterRefusal(turn, frame(), error, signal)
    await addNotes(turn, toolSet)
  }
  try {
    return await completeStep(turn, tools, signal)
  } catch (error) {
    throw isTooLong(error) ? explainRefusal(turn, frame(), error) : error
  }
}

async function addNotes({ project, conversation }: Turn, tools: ToolSet): Promise<void> {
  for (const note of [...(await project.notes()), ...tools.notes()]) conversation.add(note)
}

function isTooLong(error: unknown): error is OstlerError {
  return error instanceof OstlerError && error.code === 'model.context_exceeded'
}

/** If the answer is empty or contains an invalid call, the model is asked once more. */
async function completeStep(turn: Turn, tools: StepTools, signal: AbortSignal): Promise<StepReply> {
  const first = await streamStep(turn, tools, signal).catch((error: unknown) => {
    if (error instanceof OstlerError && error.code === 'model.malformed_call' && !signal.aborted)
      return undefined
    throw error
  })
  if (first !== undefined && !isEmpty(first)) return first
  turn.logger.info('the answer of the model was empty or not valid; asking once more', {
    model: turn.model.id,
  })
  const second = await streamStep(turn, tools, signal)
  if (isEmpty(second)) {
    const text = `${turn.model.vendorName} sent an empty answer twice.`
    await turn.emit({ type: 'text', messageId: createMessageId(), text })
  }
  return second
}

function isEmpty({ message, stopReason }: StepReply): boolean {
  return stopReason === 'end_turn' && isSilent(message)
}
