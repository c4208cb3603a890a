import { mapInSlices } from '../base/in-slices.ts'
import type { Message } from '../messages/message.ts'
import type { WireTool } from '../messages/tool.ts'
import { createToolFormatter } from './format-tools.ts'
import type { Model } from './model.ts'
import type { ModelCall } from './stream-model.ts'
import type { ThoughtChoice } from './thought-level.ts'
import { toModelPrompt } from './to-model-prompt.ts'
import { defined } from '../base/is-record.ts'

/** Everything that a model reads in one step. */
export interface ModelRequest {
  readonly systemPrompt: string
  readonly messages: readonly Message[]
  readonly tools: readonly WireTool[]
  readonly thoughtLevel?: ThoughtChoice
  readonly cacheKey?: string
  readonly searchRefusedBy?: ModelCall['searchRefusedBy']
  /** Defaults to the vendor's own limit. */
  readonly outputTokensMax?: number
}

export async function toModelCall(
  { vendor, deferral, ...model }: Model,
  { systemPrompt, messages, tools, thoughtLevel, cacheKey, searchRefusedBy, outputTokensMax }: ModelRequest,
): Promise<ModelCall> {
  // Anthropic requires a limit, and its package only knows those of older models. Other vendors have limits of their own.
  const limit = outputTokensMax ?? (vendor === 'anthropic' ? model.outputTokensMax : undefined)
  const isVendors = deferral === 'vendor'
  const waiting = isVendors ? tools.filter((tool) => tool.deferral !== undefined) : []
  const sent = isVendors ? tools : tools.filter((tool) => tool.deferral !== 'deferred')
  return {
    ...defined({ thoughtLevel, cacheKey, searchRefusedBy }),
    prompt: await toModelPrompt(systemPrompt, messages, vendor, model),
    tools: await mapInSlices(sent, createToolFormatter(vendor)),
    ...(waiting.length > 0 && { waiting: new Map(waiting.map((tool) => [tool.name, tool])) }),
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
  }
}
