import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

export interface Conversation {
  readonly turns: readonly Turn[]
  /** The directory named in the system prompt. */
  readonly workingDirectory: string | undefined
}

/** A prompt and everything that followed. The last turn is the one to answer. */
export interface Turn {
  readonly said: string
  readonly answered: string
  readonly results: readonly LanguageModelV4ToolResultPart[]
}

/** Attached files count only by their URI: their content is not what the person says. */
const attachment = /^Content of (\S+):\n[\s\S]*$/

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const turns: { said: string; answered: string; results: LanguageModelV4ToolResultPart[] }[] = []
  for (const message of prompt) {
    if (message.role === 'user') {
      const said = message.content
        .flatMap((part) => (part.type === 'text' ? [part.text.replace(attachment, '$1')] : []))
        .join('\n')
      turns.push({ said, answered: '', results: [] })
      continue
    }
    const turn = turns.at(-1)
    if (!turn || message.role === 'system') continue
    for (const part of message.content) {
      if (part.type === 'text') turn.answered += part.text
      if (part.type === 'tool-result') turn.results.push(part)
    }
  }
  return { turns, workingDirectory: workingDirectoryOf(prompt) }
}

function workingDirectoryOf(prompt: LanguageModelV4Prompt): string | undefined {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n')
  return /The working directory is (\S[^\n]*?)\.?(?:[ ]The person also works in:|\s*(?:\n|$))/.exec(
    system,
  )?.[1]
}

export function textOfResult({ output }: LanguageModelV4ToolResultPart): string {
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

export function isErrorResult({ output }: LanguageModelV4ToolResultPart): boolean {
  return output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied'
}
