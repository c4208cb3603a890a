import { textOf, withText, binaryLength, describe } from '../messages/tool-output.ts'
import type { ToolOutput, ToolResult } from '../messages/tool.ts'
import { exceededLimit } from '../base/json-limits.ts'
import { closedText, cleaning } from '../redaction/text-cleaner.ts'
import type { Redactor } from '../redaction/redact.ts'
import { hiddenOpenEnd } from '../base/strip-hidden.ts'

/** Limits on what one result may add to a conversation. Truncation is reported where the model and the person read it. */
export const resultTextCharsMax = 100_000
export const resultBinaryBytesMax = 8 * 1024 * 1024
export const resultItemsMax = 200

export function capResult(
  result: ToolResult,
  { charsLeftOut, itemsLeftOut }: Omit<BoundResult, 'result'> = { charsLeftOut: 0, itemsLeftOut: 0 },
): ToolResult {
  const kept: ToolOutput[] = []
  let textLeft = resultTextCharsMax
  let charsUnsaid = charsLeftOut
  for (const item of result.content.slice(0, resultItemsMax)) {
    const text = textOf(item)
    if (text !== undefined && text.length > textLeft) {
      kept.push(withText(item, cutText(text, textLeft, charsUnsaid)))
      charsUnsaid = 0
    } else kept.push(item)
    textLeft -= Math.min(textLeft, text?.length ?? 0)
  }
  if (charsUnsaid > 0) kept.push({ type: 'text', text: `[truncated: ${charsUnsaid} characters omitted]` })
  const dropped = itemsLeftOut + result.content.length - Math.min(result.content.length, resultItemsMax)
  if (dropped > 0)
    kept.push({ type: 'text', text: `[${dropped} more items omitted: a result may have ${resultItemsMax}]` })
  return { ...result, content: kept, structured: capStructured(result.structured) }
}

function cutText(value: string, charsMax: number, charsLeftOut: number): string {
  const length = value.length + charsLeftOut
  return `${value.slice(0, charsMax)}\n[truncated: ${length - charsMax} of ${length} characters omitted]`
}

function capStructured(structured: unknown): unknown {
  if (structured === undefined) return undefined
  const size = JSON.stringify(structured)?.length ?? 0
  return size <= resultTextCharsMax ? structured : `[left out: ${size} characters of structured content]`
}

/** More than are kept, because hidden characters are removed. */
export const searchedCharsMax = 1.5 * resultTextCharsMax

interface BoundResult {
  readonly result: ToolResult
  readonly charsLeftOut: number
  readonly itemsLeftOut: number
}

/**
 * Bounds a result to what can be searched for secrets without blocking the event loop. No part of a secret remains where a text is cut.
 * Content within the limits is returned unchanged.
 */
export function boundResult(result: ToolResult, redactor: Redactor): BoundResult {
  const { content } = result
  const kept: ToolOutput[] = []
  let charsLeft = searchedCharsMax
  let binaryLeft = resultBinaryBytesMax
  let charsLeftOut = 0
  for (const item of content.slice(0, resultItemsMax)) {
    const text = textOf(item)
    const aboutLength = lengthAbout(item)
    if (aboutLength > charsLeft) {
      kept.push(tooLarge(`a ${item.type}`))
      continue
    }
    charsLeft -= aboutLength
    if (binaryLength(item) > binaryLeft) kept.push(tooLarge(describe(item)))
    else if (text === undefined || text.length <= charsLeft) kept.push(item)
    else {
      const beginning = text.slice(0, charsLeft)
      const isFirst = charsLeftOut === 0
      charsLeftOut += text.length - beginning.length
      // After the first cut, nothing more of any text is shown.
      if (isFirst)
        closeEnd(
          kept,
          withText(item, beginning.slice(0, beginning.length - hiddenOpenEnd(beginning))),
          redactor,
        )
      else if (item.type !== 'text') kept.push(withText(item, ''))
    }
    charsLeft = charsLeftOut === 0 ? charsLeft - (text?.length ?? 0) : 0
    binaryLeft -= Math.min(binaryLeft, binaryLength(item))
  }
  const itemsLeftOut = content.length - Math.min(content.length, resultItemsMax)
  const isCutInTexts = content[resultItemsMax]?.type === 'text'
  const last = isCutInTexts && kept.at(-1)?.type === 'text' ? kept.pop() : undefined
  if (last !== undefined) closeEnd(kept, last, redactor)
  const isSame =
    charsLeftOut === 0 && itemsLeftOut === 0 && kept.every((item, index) => item === content[index])
  const structured = boundStructured(result.structured)
  return {
    result: { ...result, content: isSame ? content : kept, structured },
    charsLeftOut,
    itemsLeftOut,
  }
}

/** The secret may begin in an earlier item, because adjacent texts are read as one. */
function closeEnd(kept: ToolOutput[], last: ToolOutput, redactor: Redactor): void {
  kept.push(last)
  const start = last.type === 'text' ? kept.findLastIndex(({ type }) => type !== 'text') + 1 : kept.length - 1
  const run = kept.slice(start)
  const texts = run.map((item) => textOf(item) ?? '')
  const closed = closedText(texts.join(''), redactor)
  const parts = run.length === 1 ? [closed] : partsOf(closed, texts.map(cleaning(redactor).redact))
  const closedRun = run.slice(0, parts.length).map((item, index) => withText(item, parts[index] ?? ''))
  kept.splice(start, run.length, ...closedRun.filter((item) => item.type !== 'text' || item.text !== ''))
}

function partsOf(text: string, apart: readonly string[]): readonly string[] {
  if (!apart.join('').startsWith(text)) return [text]
  let at = 0
  return apart.map((part) => text.slice(at, (at += part.length)))
}

function boundStructured(structured: unknown): unknown {
  // `exceededLimit` never counts more characters than the JSON has.
  const isTooLarge =
    exceededLimit(structured, { depthMax: Number.POSITIVE_INFINITY, charsMax: resultTextCharsMax }) !==
    undefined
  return isTooLarge
    ? `[left out: more than ${resultTextCharsMax} characters of structured content]`
    : structured
}

function lengthAbout(item: ToolOutput): number {
  const described: object = item.type === 'resource' ? item.resource : item
  return Object.entries(described).reduce(
    (length, [key, value]) =>
      notAbout.has(key) || typeof value !== 'string' ? length : length + value.length,
    0,
  )
}

const notAbout: ReadonlySet<string> = new Set(['type', 'text', 'data', 'blob', 'oldText', 'newText'])

function tooLarge(what: string): ToolOutput {
  return { type: 'text', text: `[${what} was omitted: it is too large to show]` }
}
