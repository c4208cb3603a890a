import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { chooseTool } from './choose-tool.ts'
import { readConversation, type Conversation } from './conversation.ts'
import { fillArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { introduction, noFit, noTools, severalFit, askFor, summarize } from './phrases.ts'
import { readCall, type Call } from './read-call.ts'

export type OfflineAnswer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }

type Tools = readonly OfflineTool[]

/** Tools that this model does not use: it asks for values itself, and cannot delegate. */
const unusedTools: ReadonlySet<string> = new Set(['ask_person', 'delegate'])

const greeting =
  /^\s*(?:hi|hello|hey|help|thanks?|who are you|what (?:are|is) (?:you|this)|what can you do)\b.{0,30}$/i

/** Decides what to say or run next. A turn runs at most one tool and then ends in text, so it cannot loop. */
export async function answer(prompt: LanguageModelV4Prompt, offered: Tools): Promise<OfflineAnswer> {
  const conversation = readConversation(prompt)
  if (conversation.results.length > 0) return say(summarize(conversation.results))
  const tools = offered.filter(({ name }) => !unusedTools.has(name))
  const call = readCall(conversation.said, tools) ?? (await findCall(conversation, tools))
  if ('text' in call) return say(call.text)
  const { tool, filled } = call
  return filled.missing.length > 0
    ? say(askFor(tool, filled.missing))
    : { type: 'call', toolName: tool.name, input: filled.values }
}

async function findCall(
  { said, isFirstPrompt, workingDirectory }: Conversation,
  tools: Tools,
): Promise<Call | { readonly text: string }> {
  const introduced = (text: string) => ({ text: isFirstPrompt ? `${text}\n\n${introduction}` : text })
  if (tools.length === 0) return introduced(noTools)
  const choice = await chooseTool(said, tools)
  const [tool] = choice
  if (choice.length > 1) return { text: severalFit(choice) }
  if (tool) return { tool, filled: fillArguments(tool, said, workingDirectory) }
  return greeting.test(said) ? { text: introduction } : introduced(noFit(tools.length))
}

function say(text: string): OfflineAnswer {
  return { type: 'text', text }
}
