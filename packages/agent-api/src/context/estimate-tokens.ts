import type { ContentBlock } from '../messages/content.ts'
import type { AssistantPart, Message, ToolCallOutcome } from '../messages/message.ts'
import { binaryLength, textOf } from '../messages/tool-output.ts'
import type { ToolOutput, WireTool } from '../messages/tool.ts'
import { mapInSlices } from '../base/in-slices.ts'
import { createToolFormatter } from '../provider/format-tools.ts'
import type { Vendor } from '../provider/model.ts'
import { lengthOf } from '../provider/schema/budget.ts'
import type { Estimate } from './gauge.ts'

/** Vendors count differently. These figures are a little high for English and code, and right for most other scripts. */
const asciiCharsPerToken = 3.6
const tokensPerOtherChar = 0.9
const tokensPerPart = 6
/** The largest image that vendors do not scale down. */
const tokensPerImage = 1_600
const base64CharsPerToken = 40

export function estimateText(text: string): number {
  let others = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) others++
  return Math.ceil((text.length - others) / asciiCharsPerToken + others * tokensPerOtherChar)
}

const known = new WeakMap<Message | ToolCallOutcome, number>()

/** Cached: messages do not change, and all of them are counted before each request. */
export function estimateMessage(message: Message): number {
  return remember(message, () => sum(partsOf(message)))
}

function remember(value: Message | ToolCallOutcome, estimate: () => number): number {
  const before = known.get(value)
  if (before !== undefined) return before
  const tokens = estimate()
  known.set(value, tokens)
  return tokens
}

/** `lengthOf` may cache, because schemas are large and stay the same. */
function estimateTool(
  {
    name,
    description = '',
    inputSchema,
  }: { readonly name: string; readonly description?: string; readonly inputSchema: unknown },
  lengthOf: (schema: unknown) => number,
): number {
  return (
    tokensPerPart +
    Math.ceil((name.length + lengthOf(inputSchema)) / asciiCharsPerToken) +
    estimateText(description)
  )
}

function partsOf(message: Message): number[] {
  switch (message.role) {
    case 'user':
      return message.content.map(estimateOutput)
    case 'assistant':
      return message.parts.map(estimatePart)
    case 'tool':
      return message.results.map(estimateResult)
  }
}

function estimatePart(part: AssistantPart): number {
  const vendor =
    part.vendor === undefined ? 0 : Math.ceil(JSON.stringify(part.vendor).length / asciiCharsPerToken)
  const written =
    part.type === 'tool_call' ? part.wireName + part.input : part.type === 'hosted' ? '' : part.text
  return tokensPerPart + vendor + estimateText(written)
}

export function estimateResult(outcome: ToolCallOutcome): number {
  return remember(outcome, () => {
    const { content, structured } = outcome.result
    // Structured content is sent only if the text lacks some of it.
    const written = structured === undefined ? 0 : estimateText(JSON.stringify(structured) ?? '')
    return tokensPerPart + Math.max(sum(content.map(estimateOutput)), written)
  })
}

function estimateOutput(output: ToolOutput | ContentBlock): number {
  if (output.type === 'image') return tokensPerPart + tokensPerImage
  const name = output.type === 'resource_link' ? output.uri + output.name + (output.description ?? '') : ''
  return (
    tokensPerPart +
    estimateText(textOf(output) ?? name) +
    Math.ceil(binaryLength(output) / base64CharsPerToken)
  )
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Tools as a model reads them. No request is estimated without a count of its tools. */
export interface MeasuredTools {
  readonly wireTools: readonly WireTool[]
  readonly tokens: number
}

export interface RequestFrame {
  readonly systemPrompt: string
  readonly tools: MeasuredTools
}

/** Tools whose schemas wait are not counted. */
export async function measureTools(wireTools: readonly WireTool[], vendor: Vendor): Promise<MeasuredTools> {
  const sent = wireTools.filter(({ deferral }) => deferral !== 'deferred')
  return { wireTools, tokens: sum(await measureEach(sent, vendor)) }
}

/** The tokens of each definition. Large schemas take a while. */
export async function measureEach(wireTools: readonly WireTool[], vendor: Vendor): Promise<number[]> {
  const format = createToolFormatter(vendor)
  return mapInSlices(wireTools, (tool) => estimateTool(format(tool), lengthOf))
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
