import type { ContentBlock, TextBlock } from '../messages/content.ts'
import { redactValue } from '../secrets/redact-value.ts'
import { redactedMark, type Redactor } from '../secrets/redact.ts'
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
  return { ...result, content: redactOutputs(result.content, redactor), structured: redactValue(result.structured, redactor) }
}

export function redactOutputs<T extends ToolOutput>(content: readonly T[], redactor: Redactor): readonly (T | TextBlock)[] {
  return joinWhereNeeded(content, redactor).map((item) => redactOutput(item, redactor))
}

function redactOutput<T extends ToolOutput>(item: T, redactor: Redactor): T | TextBlock {
  switch (item.type) {
    case 'terminal':
      return { ...item, text: redactor.redact(item.text) }
    case 'diff':
      return {
        ...item,
        oldText: item.oldText === null ? null : redactor.redact(item.oldText),
        newText: redactor.redact(item.newText),
      }
    case 'image':
    case 'audio':
      return redactor.redact(item.data) === item.data
        ? redactTexts(item, redactor)
        : { type: 'text', text: `[${item.type}: ${redactedMark}]` }
    case 'text':
    case 'resource_link':
      return redactTexts(item, redactor)
    case 'resource': {
      const resource = redactTexts(item.resource, redactor)
      // With a mark in it, it would be no base64 any more.
      if ('blob' in item.resource && redactor.redact(item.resource.blob) !== item.resource.blob)
        return { type: 'text', text: `[resource: ${redactedMark}]` }
      return { ...item, resource }
    }
  }
}

/** Its own texts, but for the one that says what it is. */
function redactTexts<T extends object>(block: T, redactor: Redactor): T {
  const entries = Object.entries(block).map(([key, value]) => [
    key,
    key === 'type' || typeof value !== 'string' ? value : redactor.redact(value),
  ])
  return Object.fromEntries(entries) as T
}

/** Texts that follow each other are read as one, so a secret must not stand in two of them. */
function joinWhereNeeded<T extends ToolOutput>(content: readonly T[], redactor: Redactor): readonly (T | TextBlock)[] {
  const joined: (T | TextBlock)[] = []
  let run: string[] = []
  const close = () => {
    const apart = run.map((text) => redactor.redact(text)).join('')
    const together = redactor.redact(run.join(''))
    joined.push(...(apart === together ? run : [together]).map((text): TextBlock => ({ type: 'text', text })))
    run = []
  }
  for (const item of content) {
    if (item.type === 'text') run.push(item.text)
    else {
      close()
      joined.push(item)
    }
  }
  close()
  return joined
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
