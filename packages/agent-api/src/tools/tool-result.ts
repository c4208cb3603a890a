import type { ContentBlock } from '../messages/content.ts'
import { redactValue } from '../secrets/redact-value.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { ToolOutput, ToolResult } from './tool.ts'

/** What one result may bring into a conversation. More is cut, and the cut is said where the model and the person read it. */
export const resultTextCharsMax = 100_000
export const resultBinaryBytesMax = 8 * 1024 * 1024
export const resultItemsMax = 200

export function capResult(result: ToolResult): ToolResult {
  const kept: ToolOutput[] = []
  let textLeft = resultTextCharsMax
  let binaryLeft = resultBinaryBytesMax
  for (const item of result.content.slice(0, resultItemsMax)) {
    const capped = capItem(item, textLeft, binaryLeft)
    textLeft -= textLength(capped)
    binaryLeft -= binaryLength(capped)
    kept.push(capped)
  }
  const dropped = result.content.length - kept.length
  if (dropped > 0) kept.push({ type: 'text', text: `[${dropped} more items were left out: a result may have ${resultItemsMax}]` })
  return { ...result, content: kept, structured: capStructured(result.structured) }
}

function capItem(item: ToolOutput, textLeft: number, binaryLeft: number): ToolOutput {
  if (textLength(item) > textLeft) return withText(item, textLeft)
  if (binaryLength(item) > binaryLeft) return { type: 'text', text: `[${describe(item)} was left out: it is too large to show]` }
  return item
}

function withText(item: ToolOutput, charsMax: number): ToolOutput {
  switch (item.type) {
    case 'text':
    case 'terminal':
      return { ...item, text: cutText(item.text, charsMax) }
    case 'resource':
      return 'text' in item.resource ? { ...item, resource: { ...item.resource, text: cutText(item.resource.text, charsMax) } } : item
    default:
      return item
  }
}

function cutText(value: string, charsMax: number): string {
  const kept = Math.max(0, charsMax)
  return `${value.slice(0, kept)}\n[cut here: ${value.length - kept} of ${value.length} characters were left out]`
}

function capStructured(structured: unknown): unknown {
  if (structured === undefined) return undefined
  const size = JSON.stringify(structured)?.length ?? 0
  return size <= resultTextCharsMax ? structured : `[left out: ${size} characters of structured content]`
}

function textLength(item: ToolOutput): number {
  if (item.type === 'text' || item.type === 'terminal') return item.text.length
  return item.type === 'resource' && 'text' in item.resource ? item.resource.text.length : 0
}

function binaryLength(item: ToolOutput): number {
  if (item.type === 'image' || item.type === 'audio') return item.data.length
  return item.type === 'resource' && 'blob' in item.resource ? item.resource.blob.length : 0
}

function describe(item: ToolOutput): string {
  if (item.type === 'image' || item.type === 'audio')
    return `a ${item.mimeType} ${item.type} of ${Math.ceil((item.data.length * 3) / 4 / 1024)} KiB`
  return item.type === 'resource' ? `the resource ${item.resource.uri}` : `a ${item.type}`
}

/** A tool that prints its environment must not hand the person's keys to the model. */
export function redactResult(result: ToolResult, redactor: Redactor): ToolResult {
  const content = result.content.map((item): ToolOutput => {
    if (item.type === 'text' || item.type === 'terminal') return { ...item, text: redactor.redact(item.text) }
    if (item.type !== 'resource' || !('text' in item.resource)) return item
    return { ...item, resource: { ...item.resource, text: redactor.redact(item.resource.text) } }
  })
  return { ...result, content, structured: redactValue(result.structured, redactor) }
}

/** A result as a program would want it: the structured twin where there is one, else the text. */
export function toRawOutput(result: ToolResult): unknown {
  if (result.structured !== undefined) return result.structured
  return result.content.map(toPlainText).join('\n')
}

export function toPlainText(item: ToolOutput | ContentBlock): string {
  switch (item.type) {
    case 'text':
    case 'terminal':
      return item.text
    case 'image':
    case 'audio':
      return `[${item.type}: ${item.mimeType}]`
    case 'resource_link':
      return `[${item.name}](${item.uri})`
    case 'resource':
      return 'text' in item.resource ? item.resource.text : `[resource: ${item.resource.uri}]`
    case 'diff':
      return `[changed ${item.path}]`
  }
}
