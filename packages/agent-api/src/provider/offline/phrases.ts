import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { counted } from '../../base/quantities.ts'
import { type OfflineTool, propertyOf, typeOf } from './offline-tool.ts'

/** Explains what this model can and cannot do. Part of the first answer that needs it. */
export const introduction = [
  "I am Ostler's built-in offline model. I do not understand language, but I can find and run tools.",
  'Say what you want with the words of a tool, and put values in quotes: *Search the files for "mare"*. `/tools` lists the tools, and `/call tool name=value` runs one.',
  'For a real model, set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`, or choose a local one (`ollama/…`, `lmstudio/…`).',
].join('\n\n')

export const noTools = 'No tools are connected at the moment.'

export function noFit(toolCount: number): string {
  return `None of the ${toolCount} tools clearly matches that, so I ran nothing. \`/tools\` lists them.`
}

export function severalFit(tools: readonly OfflineTool[]): string {
  const names = tools.map(({ name }) => `\`${name}\``).join(', ')
  return `Several tools match equally well, so I ran none: ${names}. Name one of them.`
}

const choicesShown = 50

export function askFor(tool: OfflineTool, missing: readonly string[]): string {
  const lines = missing.map((name) => {
    const schema = propertyOf(tool.schema, name)
    const words = schema.enum ? `one of ${schema.enum.slice(0, choicesShown).join(', ')}` : typeOf(schema)
    return `- \`${name}\` (${words})${schema.description ? `: ${schema.description}` : ''}`
  })
  const pairs = missing.map((name) => `${name}=…`).join(' ')
  return `To run \`${tool.name}\` I still need:\n\n${lines.join('\n')}\n\nSay it again with \`${pairs}\`.`
}

/** The editor shows results in full, so a summary may be short. */
const quoteLengthMax = 2_000

export function summarize(results: readonly LanguageModelV4ToolResultPart[]): string {
  return results.map(summarizeOne).join('\n\n')
}

function summarizeOne({ toolName, output }: LanguageModelV4ToolResultPart): string {
  const text = quote(textOf(output).trim())
  const isError = output.type.startsWith('error') || output.type === 'execution-denied'
  const files = output.type === 'content' ? output.value.filter(({ type }) => type === 'file').length : 0
  const also = files === 0 ? '' : `It also returned ${counted(files, 'file')}.`
  return [`\`${toolName}\` ${isError ? 'failed' : 'answered'}:`, text, also]
    .filter((part) => part !== '')
    .join('\n\n')
}

function textOf(output: LanguageModelV4ToolResultPart['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value, null, 2)
    case 'execution-denied':
      return output.reason ?? 'It was not allowed.'
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  }
}

function quote(text: string): string {
  if (text === '') return ''
  const shown = text.length > quoteLengthMax ? `${text.slice(0, quoteLengthMax).toWellFormed()}…` : text
  return shown
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
