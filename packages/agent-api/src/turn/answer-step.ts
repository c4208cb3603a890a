import { OstlerError } from '../base/errors.ts'
import { measureMessages, measureTools } from '../context/estimate-request.ts'
import { explainRefusal, makeRoom, makeRoomAfterRefusal } from '../context/make-room.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { completeStep } from './complete-step.ts'
import type { StepReply } from './stream-step.ts'
import type { Turn } from './turn.ts'

/**
 * Adds notes about changes, and streams one answer that fits into the context window. A request that the vendor refuses because of its
 * length is repeated once, shorter.
 */
export async function answerStep(
  turn: Turn,
  { wireTools }: ToolSet,
  signal: AbortSignal,
): Promise<StepReply> {
  const { conversation, model } = turn
  const tools = await measureTools(wireTools, model.vendor)
  const frame = () => ({ systemPrompt: turn.project.systemPrompt(), tools })
  await measureMessages(conversation.messages)
  await addNotes(turn)
  const { messages } = conversation
  await makeRoom(turn, frame(), signal)
  // Notes that a summary has replaced are needed again.
  if (conversation.messages !== messages) await addNotes(turn)
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

async function addNotes({ project, conversation }: Turn): Promise<void> {
  for (const note of await project.notes()) conversation.add(note)
}

function isTooLong(error: unknown): error is OstlerError {
  return error instanceof OstlerError && error.code === 'model.context_exceeded'
}
