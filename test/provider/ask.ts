import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { openModel } from '../../packages/agent-api/src/provider/open-model.ts'
import { formatToolsForProvider } from '../../packages/agent-api/src/provider/format-tools.ts'
import type { WireTool } from '../../packages/agent-api/src/messages/tool.ts'
import type { Model } from '../../packages/agent-api/src/provider/model.ts'
import { streamModel, type StreamOptions } from '../../packages/agent-api/src/provider/stream-model.ts'
import { toModelPrompt } from '../../packages/agent-api/src/provider/to-model-prompt.ts'
import type { Message, UserMessage } from '../../packages/agent-api/src/messages/message.ts'
import type { LoopbackModel } from '../support/loopback-model/index.ts'

export const systemPrompt = 'You are kind.'

export interface Question {
  readonly messages?: readonly Message[]
  readonly tools?: readonly WireTool[]
  readonly options?: Partial<StreamOptions>
  readonly redact?: Model['redact']
}

export function open(server: LoopbackModel, redact: Model['redact'] = (text) => text): Promise<Model> {
  return openModel(server.modelId, { providers: {}, env: server.env }, { redact })
}

/** Asks through the vendor's own package, as a turn does. */
export async function* ask(
  server: LoopbackModel,
  { messages = [userSays('Hi')], tools = [], options, redact }: Question = {},
) {
  const model = await open(server, redact)
  const call = {
    prompt: await toModelPrompt(systemPrompt, messages, model.vendor),
    tools: formatToolsForProvider(tools, model.vendor),
  }
  yield* streamModel(model, call, {
    signal: new AbortController().signal,
    ...options,
    limits: { retryDelayMs: 1, ...options?.limits },
  })
}

export async function collect(
  server: LoopbackModel,
  question?: Question,
): Promise<LanguageModelV4StreamPart[]> {
  return Array.fromAsync(ask(server, question))
}

/** Returns the parts before the stream failed, and the error. */
export async function collectUntilFailure(
  server: LoopbackModel,
  question?: Question,
): Promise<{ parts: LanguageModelV4StreamPart[]; error: unknown }> {
  const parts: LanguageModelV4StreamPart[] = []
  try {
    for await (const part of ask(server, question)) parts.push(part)
  } catch (error) {
    return { parts, error }
  }
  return { parts, error: undefined }
}

export function textOf(
  parts: readonly LanguageModelV4StreamPart[],
  type: 'text-delta' | 'reasoning-delta' = 'text-delta',
): string {
  return parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join('')
}

export function userSays(text: string): UserMessage {
  return { role: 'user', id: 'm', content: [{ type: 'text', text }] }
}
