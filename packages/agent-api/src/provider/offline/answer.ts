import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { chooseTool } from './choose-tool.ts'
import { readCommand, type Command } from './command.ts'
import { readConversation, type Conversation, type Turn } from './conversation.ts'
import { fillArguments, type FilledArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import {
  introduction,
  noFit,
  noTools,
  severalFit,
  toolList,
  askFor,
  askedAbout,
  summarize,
} from './phrases.ts'

export type OfflineAnswer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }

type Tools = readonly OfflineTool[]

/** Tools that this model does not use: it asks for values itself, and cannot delegate. */
const unusedTools: ReadonlySet<string> = new Set(['ask_person', 'delegate'])

/** Decides what to say or run next. A turn runs at most one tool and then ends in text, so it cannot loop. */
export async function answer(prompt: LanguageModelV4Prompt, offered: Tools): Promise<OfflineAnswer> {
  const conversation = readConversation(prompt)
  const turn = conversation.turns.at(-1)
  if (turn === undefined) return say(introduction)
  if (turn.results.length > 0) return say(summarize(turn.results))
  const wish = await findWish(
    conversation,
    offered.filter(({ name }) => !unusedTools.has(name)),
  )
  if ('text' in wish) return say(wish.text)
  const { tool, filled } = wish
  return filled.missing.length > 0
    ? say(askFor(tool, filled.missing))
    : { type: 'call', toolName: tool.name, input: filled.values }
}

interface Wish {
  readonly tool: OfflineTool
  readonly filled: FilledArguments
}

/** The tool to run, named in this prompt or in an earlier one that ended in a question. */
async function findWish(
  { turns, workingDirectory }: Conversation,
  tools: Tools,
): Promise<Wish | { readonly text: string }> {
  const said = turns.at(-1)?.said ?? ''
  const answers = turns.map(({ answered }) => answered)
  const pending = pendingSince(turns, tools)
  const command = readCommand(said, tools)
  // The answer to a question may look like a command: `/tmp`.
  if (command && !(pending && command.type === 'unknown')) return follow(command, tools, answers)
  if (pending) return { tool: pending.tool, filled: fillFromAnswers(pending, workingDirectory) }
  if (tools.length === 0) return { text: noTools(answers) }
  const choice = await chooseTool(said, tools, workingDirectory)
  if (choice === 'greeting') return { text: introduction }
  const [tool] = choice
  if (tool === undefined) return { text: noFit(tools.length, answers) }
  if (choice.length > 1) return { text: severalFit(choice) }
  return { tool, filled: fillArguments(tool, said, { workingDirectory }) }
}

interface Pending {
  readonly tool: OfflineTool
  /** The original request, followed by the answers to questions about it. */
  readonly said: readonly string[]
}

/** Finds the request that this turn continues, by going back over the questions. */
function pendingSince(turns: readonly Turn[], tools: Tools): Pending | undefined {
  let first = turns.length - 1
  const name = askedAbout(turns[first - 1]?.answered)
  const tool = tools.find((tool) => tool.name === name)
  if (!tool || /^\s*(?:cancel|stop|no|never ?mind|forget it)\b/i.test(turns[first]?.said ?? ''))
    return undefined
  while (first > 0 && askedAbout(turns[first - 1]?.answered) === name) first--
  return { tool, said: turns.slice(first).map((turn) => turn.said) }
}

function fillFromAnswers({ tool, said }: Pending, workingDirectory: string | undefined): FilledArguments {
  const [wish = '', ...answers] = said
  const command = readCommand(wish, [tool])
  let filled = command?.type === 'call' ? command.filled : fillArguments(tool, wish, { workingDirectory })
  for (const text of answers) {
    const added = fillArguments(tool, text, { wanted: filled.missing, workingDirectory })
    filled = { ...added, values: { ...filled.values, ...added.values } }
  }
  return filled
}

function follow(
  command: Command,
  tools: Tools,
  answers: readonly string[],
): Wish | { readonly text: string } {
  switch (command.type) {
    case 'list':
      return { text: tools.length === 0 ? noTools(answers) : toolList(tools) }
    case 'problem':
    case 'unknown':
      return { text: command.text }
    case 'call':
      return command
  }
}

function say(text: string): OfflineAnswer {
  return { type: 'text', text }
}
