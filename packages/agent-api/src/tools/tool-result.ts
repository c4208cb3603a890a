import type { ContentBlock, TextBlock } from '../messages/content.ts'
import { cleaning } from '../secrets/cleaning.ts'
import { redactValue } from '../secrets/redact-value.ts'
import { redactedMark, type Redactor } from '../secrets/redact.ts'
import type { ToolOutput, ToolResult } from './tool.ts'

/** What one result may bring into a conversation. More is cut, and the cut is said where the model and the person read it. */
export const resultTextCharsMax = 100_000
export const resultBinaryBytesMax = 8 * 1024 * 1024
export const resultItemsMax = 200

/** What was left out of a result before it came here. */
interface LeftOut {
  readonly charsLeftOut: number
  readonly itemsLeftOut: number
}

export function capResult(result: ToolResult, { charsLeftOut, itemsLeftOut }: LeftOut = { charsLeftOut: 0, itemsLeftOut: 0 }): ToolResult {
  const kept: ToolOutput[] = []
  let textLeft = resultTextCharsMax
  let binaryLeft = resultBinaryBytesMax
  let charsUnsaid = charsLeftOut
  for (const item of result.content.slice(0, resultItemsMax)) {
    const text = textOf(item)
    if (text !== undefined && text.length > textLeft) {
      kept.push(withText(item, cutText(text, textLeft, charsUnsaid)))
      charsUnsaid = 0
    } else if (binaryLength(item) > binaryLeft) {
      kept.push({ type: 'text', text: `[${describe(item)} was left out: it is too large to show]` })
    } else {
      kept.push(item)
      binaryLeft -= binaryLength(item)
    }
    textLeft -= Math.min(textLeft, text?.length ?? 0)
  }
  if (charsUnsaid > 0) kept.push({ type: 'text', text: `[cut here: ${charsUnsaid} characters were left out]` })
  const dropped = itemsLeftOut + result.content.length - Math.min(result.content.length, resultItemsMax)
  if (dropped > 0) kept.push({ type: 'text', text: `[${dropped} more items were left out: a result may have ${resultItemsMax}]` })
  return { ...result, content: kept, structured: capStructured(result.structured) }
}

export function withText(item: ToolOutput, text: string): ToolOutput {
  switch (item.type) {
    case 'text':
    case 'terminal':
      return { ...item, text }
    case 'resource':
      return 'text' in item.resource ? { ...item, resource: { ...item.resource, text } } : item
    default:
      return item
  }
}

function cutText(value: string, charsMax: number, charsLeftOut: number): string {
  const length = value.length + charsLeftOut
  return `${value.slice(0, charsMax)}\n[cut here: ${length - charsMax} of ${length} characters were left out]`
}

function capStructured(structured: unknown): unknown {
  if (structured === undefined) return undefined
  const size = JSON.stringify(structured)?.length ?? 0
  return size <= resultTextCharsMax ? structured : `[left out: ${size} characters of structured content]`
}

/** Undefined for an item that is not of text. */
export function textOf(item: ToolOutput): string | undefined {
  if (item.type === 'text' || item.type === 'terminal') return item.text
  return item.type === 'resource' && 'text' in item.resource ? item.resource.text : undefined
}

export function binaryLength(item: ToolOutput): number {
  if (item.type === 'image' || item.type === 'audio') return item.data.length
  return item.type === 'resource' && 'blob' in item.resource ? item.resource.blob.length : 0
}

export function describe(item: ToolOutput): string {
  if (item.type === 'image' || item.type === 'audio')
    return `a ${item.mimeType} ${item.type} of ${Math.ceil((item.data.length * 3) / 4 / 1024)} KiB`
  return item.type === 'resource' ? `the resource ${item.resource.uri}` : `a ${item.type}`
}

/** A tool that prints its environment must not hand the person's keys to the model. */
export function redactResult(result: ToolResult, redactor: Redactor): ToolResult {
  return { ...result, content: redactOutputs(result.content, redactor), structured: redactValue(result.structured, redactor) }
}

/** The same for what a model or an editor reads: hidden characters are removed first. */
export function cleanResult(result: ToolResult, redactor: Redactor): ToolResult {
  const structured = redactValue(result.structured, cleaning(redactor))
  return { ...result, content: cleanOutputs(result.content, redactor), structured }
}

export function cleanOutputs<T extends ToolOutput>(content: readonly T[], redactor: Redactor): readonly (T | TextBlock)[] {
  return redactOutputs(content, redactor, cleaning(redactor))
}

/** `ofTexts` may do more to texts than to files and pictures. */
export function redactOutputs<T extends ToolOutput>(
  content: readonly T[],
  redactor: Redactor,
  ofTexts = redactor,
): readonly (T | TextBlock)[] {
  const redacted: (T | TextBlock)[] = []
  let run: string[] = []
  const close = () => {
    redacted.push(...redactRun(run, ofTexts))
    run = []
  }
  for (const item of content) {
    if (item.type === 'text') run.push(item.text)
    else {
      close()
      redacted.push(redactOutput(item, redactor, ofTexts))
    }
  }
  close()
  return redacted
}

/** Texts that follow each other are read as one, so a secret must not stand in two of them. */
function redactRun(run: readonly string[], { redact }: Redactor): readonly TextBlock[] {
  const apart = run.map(redact)
  const together = run.length > 1 ? redact(run.join('')) : undefined
  const texts = together === undefined || together === apart.join('') ? apart : [together]
  return texts.map((text) => ({ type: 'text', text }))
}

function redactOutput<T extends ToolOutput>(item: T, redactor: Redactor, ofTexts: Redactor): T | TextBlock {
  switch (item.type) {
    case 'terminal':
      return { ...item, text: ofTexts.redact(item.text) }
    // What is hidden in a file stays in its diff, for the editor to point out.
    case 'diff':
      return {
        ...item,
        oldText: item.oldText === null ? null : redactor.redact(item.oldText),
        newText: redactor.redact(item.newText),
      }
    // With a mark in them, the data would be no base64 any more.
    case 'image':
    case 'audio':
      return holdsSecret(item.data, redactor) ? { type: 'text', text: `[${item.type}: ${redactedMark}]` } : redactTexts(item, ofTexts)
    case 'text':
    case 'resource_link':
      return redactTexts(item, ofTexts)
    case 'resource': {
      const { resource } = item
      if ('blob' in resource && holdsSecret(resource.blob, redactor)) return { type: 'text', text: `[resource: ${redactedMark}]` }
      return { ...item, resource: redactTexts(resource, ofTexts) }
    }
  }
}

function holdsSecret(text: string, redactor: Redactor): boolean {
  return redactor.redact(text) !== text
}

const notTexts: ReadonlySet<string> = new Set(['type', 'data', 'blob'])

function redactTexts<T extends object>(block: T, { redact }: Redactor): T {
  const entries = Object.entries(block).map(([key, value]) => [key, notTexts.has(key) || typeof value !== 'string' ? value : redact(value)])
  return Object.fromEntries(entries) as T
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
