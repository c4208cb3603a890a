import { mapInSlices } from '../base/in-slices.ts'
import type { Message } from '../messages/message.ts'
import { createToolFormatter } from '../provider/format-tools.ts'
import type { WireTool } from '../messages/tool.ts'
import type { Vendor } from '../provider/model.ts'
import { lengthOf } from '../provider/schema/budget.ts'
import { estimateMessage, estimateText, estimateTool } from './estimate-tokens.ts'
import type { Estimate } from './gauge.ts'

const measured = new WeakMap<readonly WireTool[], number>()

/**
 * Measures the messages of a step, and its tools as their vendor reads them. Call it before the first estimate: large schemas and long
 * conversations take a while.
 */
export async function measureRequest(tools: readonly WireTool[], messages: readonly Message[], vendor: Vendor): Promise<void> {
  await mapInSlices(messages, estimateMessage)
  if (measured.has(tools)) return
  const format = createToolFormatter(vendor)
  const sizes = await mapInSlices(tools, (tool) => estimateTool(format(tool), lengthOf))
  measured.set(
    tools,
    sizes.reduce((sum, size) => sum + size, 0),
  )
}

/** Tools that were not measured count as none. */
export function estimateRequest(
  { systemPrompt, tools }: { readonly systemPrompt: string; readonly tools: readonly WireTool[] },
  messages: readonly Message[],
): Estimate {
  return { fixed: estimateText(systemPrompt) + (measured.get(tools) ?? 0), messages: messages.map(estimateMessage) }
}
