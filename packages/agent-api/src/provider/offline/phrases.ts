import type { OfflineTool } from './offline-tool.ts'

const toolsListedMax = 200
const descriptionLengthMax = 100

/** Explains what this model can and cannot do. Part of the first answer that needs it. */
export const introduction = [
  "I am Ostler's built-in offline model. I do not understand language, but I can find and run tools.",
  'Say what you want with the words of a tool, and put values in quotes: *Search the files for "mare"*. `/tools` lists the tools, and `/call tool name=value` runs one.',
  'For a real model, set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`, or choose a local one (`ollama/…`, `lmstudio/…`).',
].join('\n\n')

/** True if an earlier answer contains the introduction. */
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
