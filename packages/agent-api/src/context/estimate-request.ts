import type { Message } from '../messages/message.ts'
import type { WireTool } from '../provider/format-tools.ts'
import { lengthOf } from '../provider/schema/budget.ts'
import { estimateMessage, estimateText, estimateTools } from './estimate-tokens.ts'
import type { Estimate } from './gauge.ts'

export function estimateRequest(
  { systemPrompt, tools }: { readonly systemPrompt: string; readonly tools: readonly WireTool[] },
  messages: readonly Message[],
): Estimate {
  return { fixed: estimateText(systemPrompt) + estimateTools(tools, lengthOf), messages: messages.map(estimateMessage) }
}
