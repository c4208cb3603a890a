import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Logger } from '../base/logger.ts'
import type { Message } from '../messages/message.ts'
import type { Model } from '../provider/model.ts'
import { streamModel, type ModelCall } from '../provider/stream-model.ts'
import { toModelPrompt } from '../provider/to-model-prompt.ts'

interface SideQuestion {
  readonly systemPrompt: string
  readonly messages: readonly Message[]
  readonly outputTokensMax: number
}

export interface SideAnswer {
  readonly text: string
  /** True if the answer ended at the token limit. */
  readonly isCut: boolean
  readonly usage: LanguageModelV4Usage | undefined
}

/** Asks a model outside the conversation: the answer is not shown, and the model has no tools. Throws as `streamModel` does. */
export async function askAside(
  model: Model,
  { systemPrompt, messages, outputTokensMax }: SideQuestion,
  logger: Logger,
  signal: AbortSignal,
): Promise<SideAnswer> {
  const prompt = await toModelPrompt(systemPrompt, messages, model.vendor)
  const call = { thoughtLevel: 'off', prompt, maxOutputTokens: outputTokensMax } as const
  return readAnswer(model, call, logger, signal)
}

export async function readAnswer(
  model: Model,
  call: ModelCall,
  logger: Logger,
  signal: AbortSignal,
): Promise<SideAnswer> {
  let text = ''
  let isCut = false
  let usage: LanguageModelV4Usage | undefined
  for await (const part of streamModel(model, call, { signal, logger })) {
    if (part.type === 'text-delta') text += part.delta
    if (part.type !== 'finish') continue
    isCut = part.finishReason.unified === 'length'
    usage = part.usage
  }
  return { text, isCut, usage }
}
