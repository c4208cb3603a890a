import { textOf, withText } from '../messages/tool-output.ts'
import type { ToolOutput, ToolResult } from '../messages/tool.ts'

/** Limits on what one result may add to a conversation. Truncation is reported where the model and the person read it. */
export const resultTextCharsMax = 100_000
export const resultBinaryBytesMax = 8 * 1024 * 1024
export const resultItemsMax = 200

interface LeftOut {
  readonly charsLeftOut: number
  readonly itemsLeftOut: number
}

export function capResult(
  result: ToolResult,
  { charsLeftOut, itemsLeftOut }: LeftOut = { charsLeftOut: 0, itemsLeftOut: 0 },
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
