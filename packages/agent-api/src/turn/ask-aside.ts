import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Message } from '../messages/message.ts'
import { streamModel } from '../provider/stream-model.ts'
import { toModelPrompt } from '../provider/to-model-prompt.ts'
import type { Turn } from './turn.ts'

/** A request outside the conversation: it is not shown, and the model has no tools. */
export interface SideQuestion extends Pick<Turn, 'model' | 'logger'> {
  readonly outputTokensMax?: number
  readonly systemPrompt: string
  readonly messages: readonly Message[]
}

export interface SideAnswer {
  readonly text: string
  /** True if the answer ended at the token limit. */
  readonly isCut: boolean
  readonly usage: LanguageModelV4Usage | undefined
}

/** Asks a model for a text, such as a title or a summary. Throws as `streamModel` does. */
export async function askAside(
  { model, logger, ...question }: SideQuestion,
  signal: AbortSignal,
): Promise<SideAnswer> {
  const request = {
    thoughtLevel: 'off' as const,
    prompt: await toModelPrompt(question.systemPrompt, question.messages, model.vendor),
    maxOutputTokens: question.outputTokensMax,
  }
  let text = ''
  let isCut = false
  let usage: LanguageModelV4Usage | undefined
  for await (const part of streamModel(model, request, { signal, logger })) {
    if (part.type === 'text-delta') text += part.delta
    if (part.type !== 'finish') continue
    isCut = part.finishReason.unified === 'length'
    usage = part.usage
  }
  return { text, isCut, usage }
}
