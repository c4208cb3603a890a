import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

export interface Conversation {
  /** The last prompt of the person. */
  readonly said: string
  readonly isFirstPrompt: boolean
  /** The results that followed the last prompt. */
  readonly results: readonly LanguageModelV4ToolResultPart[]
  /** The directory named in the system prompt. */
  readonly workingDirectory: string | undefined
}

/** Attached files count only by their URI: their content is not what the person says. */
const attachment = /^Content of (\S+):\n[\s\S]*$/

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  const last = prompt[at]
  const parts = last?.role === 'user' ? last.content : []
  return {
    said: parts
      .flatMap((part) => (part.type === 'text' ? [part.text.replace(attachment, '$1')] : []))
      .join('\n'),
    isFirstPrompt: !prompt.some(({ role }) => role === 'assistant'),
    results: prompt
      .slice(at + 1)
      .flatMap(({ role, content }) => (role === 'tool' ? content : []))
      .filter((part) => part.type === 'tool-result'),
    workingDirectory: workingDirectoryOf(prompt),
  }
}

function workingDirectoryOf(prompt: LanguageModelV4Prompt): string | undefined {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n')
  return /The working directory is (\S[^\n]*?)\.?(?:[ ]The person also works in:|\s*(?:\n|$))/.exec(
    system,
  )?.[1]
}
