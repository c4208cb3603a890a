import { OstlerError } from '../base/errors.ts'
import { measureRequest } from '../context/estimate-request.ts'
import { explainRefusal, makeRoom, makeRoomAfterRefusal } from '../context/make-room.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { completeStep } from './complete-step.ts'
import type { StepReply } from './stream-step.ts'
import type { Turn } from './turn.ts'

/**
 * Adds notes about changes, and streams one answer that fits into the context window. A request that the vendor refuses because of its
 * length is repeated once, shorter.
 */
export async function answerStep(turn: Turn, tools: ToolSet, signal: AbortSignal): Promise<StepReply> {
  const frame = () => ({ systemPrompt: turn.systemPrompt(), tools: tools.wireTools })
  await measureRequest(tools.wireTools, turn.conversation.messages, turn.model.vendor)
  await addNotes(turn)
  await makeRoom(turn, frame(), signal)
  // Notes that a summary has replaced are needed again.
  await addNotes(turn)
  try {
    return await completeStep(turn, tools, signal)
  } catch (error) {
    if (!isTooLong(error)) throw error
    await makeRoomAfterRefusal(turn, frame(), error, signal)
    await addNotes(turn)
  }
  try {
    return await completeStep(turn, tools, signal)
  } catch (error) {
    throw isTooLong(error) ? explainRefusal(turn, frame(), error) : error
  }
}

async function addNotes({ notes, conversation }: Turn): Promise<void> {
  for (const note of await notes()) conversation.add(note)
}

function isTooLong(error: unknown): error is OstlerError {
  return error instanceof OstlerError && error.code === 'model.context_exceeded'
}
