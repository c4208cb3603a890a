import { type OfflineTool, propertyOf, typeOf } from './offline-tool.ts'
import { counted } from '../../base/quantities.ts'
import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { isErrorResult, textOfResult } from './conversation.ts'

const toolsListedMax = 200
const descriptionLengthMax = 100

/** Explains what this model can and cannot do. Part of the first answer that needs it. */
export const introduction = [
  "I am Ostler's built-in offline model. I do not understand language, but I can find and run tools.",
  'Say what you want with the words of a tool, and put values in quotes: *Search the files for "mare"*. `/tools` lists the tools, and `/call tool name=value` runs one.',
  'For a real model, set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`, or choose a local one (`ollama/…`, `lmstudio/…`).',
].join('\n\n')

function introducedBefore(answers: readonly string[]): boolean {
  return answers.some((answered) => answered.includes(introduction))
}

export function noTools(answers: readonly string[]): string {
  const none = 'No tools are connected at the moment.'
  return introducedBefore(answers) ? none : [introduction, none].join('\n\n')
}

export function noFit(toolCount: number, answers: readonly string[]): string {
  const none = `None of the ${toolCount} tools clearly matches that, so I ran nothing.`
  return introducedBefore(answers) ? `${none} \`/tools\` lists them.` : [none, introduction].join('\n\n')
}

export function unknownCommand(name: string): string {
  return `There is no command \`/${name}\`. There are \`/tools\`, \`/mcp\`, \`/call tool {"name": "value"}\`, and the prompts of connected servers.`
}

export function severalFit(tools: readonly OfflineTool[]): string {
  return [
    `Several tools match equally well, so I ran none:`,
    list(tools),
    'Say which with `/call tool name=value`, or name it in your sentence.',
  ].join('\n\n')
}

export function toolList(tools: readonly OfflineTool[]): string {
  const left = tools.length - toolsListedMax
  return [list(tools.slice(0, toolsListedMax)), ...(left > 0 ? [`…and ${left} more.`] : [])].join('\n\n')
}

export function list(tools: readonly OfflineTool[]): string {
  return tools.map((tool) => `- \`${tool.name}\`: ${firstLine(tool.description)}`).join('\n')
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  if (line === '') return 'no description'
  return line.length > descriptionLengthMax
    ? `${[...line].slice(0, descriptionLengthMax - 1).join('')}…`
    : line
}

const opening = 'To run '
const choicesShown = 50
const asking = ' I still need'

/** Asks for missing arguments. The question is also the memory: the next turn reads from it which tool was meant. */
export function askFor(tool: OfflineTool, missing: readonly string[]): string {
  const lines = missing.map((name) => {
    const schema = propertyOf(tool.schema, name)
    const words = schema.enum ? `one of ${choiceList(schema.enum)}` : typeOf(schema)
    return `- \`${name}\` (${words})${schema.description ? `: ${schema.description}` : ''}`
  })
  const how =
    missing.length === 1
      ? 'What should it be?'
      : `Answer as \`${missing.map((name) => `${name}=…`).join(', ')}\`, or in that order.`
  return `${opening}\`${tool.name}\`${asking}:\n\n${lines.join('\n')}\n\n${how}`
}

function choiceList(choices: readonly unknown[]): string {
  const left = choices.length - choicesShown
  return [...choices.slice(0, choicesShown), ...(left > 0 ? [`… and ${left} more`] : [])].join(', ')
}

/** The tool that an earlier answer asked about. */
export function askedAbout(answered: string | undefined): string | undefined {
  if (!answered?.startsWith(`${opening}\``)) return undefined
  const name = answered.slice(opening.length + 1, answered.indexOf('`', opening.length + 1))
  return answered.startsWith(`${opening}\`${name}\`${asking}`) ? name : undefined
}

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
