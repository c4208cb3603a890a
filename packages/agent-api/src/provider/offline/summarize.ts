import { counted } from '../../base/quantities.ts'
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
  const { output } = result
  const files = output.type === 'content' ? output.value.filter(({ type }) => type === 'file').length : 0
  const also = files === 0 ? '' : `It also returned ${counted(files, 'file')}.`
  return [`\`${result.toolName}\` answered:`, text, also].filter((part) => part !== '').join('\n\n')
}

function quote(text: string): string {
  if (text === '') return ''
  const shown = text.length > quoteLengthMax ? `${text.slice(0, quoteLengthMax).toWellFormed()}…` : text
  return shown
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
