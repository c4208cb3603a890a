import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { isErrorResult, textOfResult } from './conversation.ts'

/** The editor shows results in full, so a summary may be short. */
const quoteLengthMax = 2_000

export function summarize(results: readonly LanguageModelV4ToolResultPart[]): string {
  return results.map(summarizeOne).join('\n\n')
}

function summarizeOne(result: LanguageModelV4ToolResultPart): string {
  const text = quote(textOfResult(result).trim())
  if (isErrorResult(result)) return `\`${result.toolName}\` failed:\n\n${text}`
  const files = filesOf(result)
  return [`\`${result.toolName}\` answered:`, text, ...(files === '' ? [] : [`It also returned ${files}.`])]
    .filter((part) => part !== '')
    .join('\n\n')
}

function filesOf({ output }: LanguageModelV4ToolResultPart): string {
  if (output.type !== 'content') return ''
  const kinds = output.value.flatMap((part) =>
    part.type === 'file' ? [part.mediaType.startsWith('image/') ? 'image' : `file (${part.mediaType})`] : [],
  )
  const counts = [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((other) => other === kind).length
    return count === 1 ? `one ${kind}` : `${count} × ${kind}`
  })
  return counts.join(', ')
}

function quote(text: string): string {
  if (text === '') return ''
  const shown = text.length > quoteLengthMax ? `${text.slice(0, quoteLengthMax).toWellFormed()}…` : text
  return shown
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
