import { mapInSlices } from '../base/in-slices.ts'
import type { Message } from '../messages/message.ts'
import { createToolFormatter } from '../provider/format-tools.ts'
import type { WireTool } from '../messages/tool.ts'
import type { Vendor } from '../provider/model.ts'
import { lengthOf } from '../provider/schema/budget.ts'
import { estimateMessage, estimateText, estimateTool, sum } from './estimate-tokens.ts'
import type { Estimate } from './gauge.ts'

/** Tools as a model reads them. No request is estimated without a count of its tools. */
export interface MeasuredTools {
  readonly wireTools: readonly WireTool[]
  readonly tokens: number
}

/** The parts of a request besides its messages. */
export interface RequestFrame {
  readonly systemPrompt: string
  readonly tools: MeasuredTools
}

/** Measures tools as their vendor reads them. Large schemas take a while. */
export async function measureTools(wireTools: readonly WireTool[], vendor: Vendor): Promise<MeasuredTools> {
  const format = createToolFormatter(vendor)
  const sizes = await mapInSlices(wireTools, (tool) => estimateTool(format(tool), lengthOf))
  return { wireTools, tokens: sum(sizes) }
}

/** Counts messages before an estimate needs them, because a long conversation takes a while. */
export async function measureMessages(messages: readonly Message[]): Promise<void> {
  await mapInSlices(messages, estimateMessage)
}

export function estimateRequest(
  { systemPrompt, tools }: RequestFrame,
  messages: readonly Message[],
): Estimate {
  return { fixed: estimateText(systemPrompt) + tools.tokens, messages: messages.map(estimateMessage) }
}
