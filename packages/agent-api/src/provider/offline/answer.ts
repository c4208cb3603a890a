import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { chooseTool } from './choose-tool.ts'
import { readCommand, type Command } from './command.ts'
import { isErrorResult, readConversation, textOfResult, type Conversation, type Turn } from './conversation.ts'
import { fillArguments, type FilledArguments } from './fill-arguments.ts'
import { formFor, readForm } from './form.ts'
import type { OfflineTool } from './offline-tool.ts'
import { introduction, noFit, noTools, severalFit, toolList } from './phrases.ts'
import { askFor, askedAbout } from './question.ts'
import { summarize } from './summarize.ts'

export type OfflineAnswer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }

type Tools = readonly OfflineTool[]

/** The tool that asks the person through a form. Used for that purpose only. */
const askPersonName = 'ask_person'
/** Tools that this model does not use: it asks for values itself, and cannot delegate. */
const unusedTools: ReadonlySet<string> = new Set([askPersonName, 'delegate'])

/** Decides what to say or run next. A turn asks at most once, runs at most one tool and then ends in text, so it cannot loop. */
export async function answer(prompt: LanguageModelV4Prompt, offered: Tools): Promise<OfflineAnswer> {
  const conversation = readConversation(prompt)
  const { turns } = conversation
  const turn = turns.at(-1)
  if (!turn) return say(introduction)
  const forms = turn.results.filter((result) => result.toolName === askPersonName)
  const results = turn.results.filter((result) => result.toolName !== askPersonName)
  if (results.length > 0) return say(summarize(results))

  const tools = offered.filter(({ name }) => !unusedTools.has(name))
  const wish = await findWish(conversation, tools)
  if ('text' in wish) return say(wish.text)
  // Explicit arguments are sent unchanged. The tool reports what is wrong with them.
  if (wish.filled.missing.length === 0) return { type: 'call', toolName: wish.tool.name, input: wish.filled.values }

  const form = forms.at(-1)
  if (form) {
    if (isErrorResult(form)) return say(`Without an answer I cannot run \`${wish.tool.name}\`. ${textOfResult(form)}`)
    const filled = readForm(textOfResult(form), wish.tool.schema)
    if (!filled) return say(`I asked, but got no values I could use, so I did not run \`${wish.tool.name}\`.`)
    const missing = wish.filled.missing.filter((name) => !(name in filled))
    const input = { ...wish.filled.values, ...filled }
    return missing.length > 0 ? say(askFor(wish.tool, missing)) : { type: 'call', toolName: wish.tool.name, input }
  }
  return offered.some(({ name }) => name === askPersonName)
    ? { type: 'call', toolName: askPersonName, input: formFor(wish.tool, wish.filled.missing) }
    : say(askFor(wish.tool, wish.filled.missing))
}

interface Wish {
  readonly tool: OfflineTool
  readonly filled: FilledArguments
}

/** The tool to run, named in this prompt or in an earlier one that ended in a question. */
async function findWish({ turns, workingDirectory }: Conversation, tools: Tools): Promise<Wish | { readonly text: string }> {
  const said = turns.at(-1)?.said ?? ''
  const answers = turns.map(({ answered }) => answered)
  const pending = pendingSince(turns, tools)
  const command = await readCommand(said, tools)
  // The answer to a question may look like a command: `/tmp`.
  if (command && !(pending && command.type === 'unknown')) return follow(command, tools, answers)
  if (pending) return { tool: pending.tool, filled: await fillFromAnswers(pending, workingDirectory) }
  if (tools.length === 0) return { text: noTools(answers) }
  const choice = await chooseTool(said, tools, workingDirectory)
  switch (choice.type) {
    case 'tool':
      return { tool: choice.tool, filled: fillArguments(choice.tool, said, { workingDirectory }) }
    case 'several':
      return { text: severalFit(choice.tools) }
    case 'greeting':
      return { text: introduction }
    case 'none':
      return { text: noFit(tools.length, answers) }
  }
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
  if (!tool || /^\s*(?:cancel|stop|no|never ?mind|forget it)\b/i.test(turns[first]?.said ?? '')) return undefined
  while (first > 0 && askedAbout(turns[first - 1]?.answered) === name) first--
  return { tool, said: turns.slice(first).map((turn) => turn.said) }
}

async function fillFromAnswers({ tool, said }: Pending, workingDirectory: string | undefined): Promise<FilledArguments> {
  const [wish = '', ...answers] = said
  const command = await readCommand(wish, [tool])
  let filled = command?.type === 'call' ? fillFromCommand(tool, command.input) : fillArguments(tool, wish, { workingDirectory })
  for (const text of answers) {
    const added = fillArguments(tool, text, { wanted: filled.missing, workingDirectory })
    filled = { values: { ...filled.values, ...added.values }, missing: added.missing }
  }
  return filled
}

function fillFromCommand(tool: OfflineTool, input: Readonly<Record<string, unknown>> | undefined): FilledArguments {
  return input ? { values: input, missing: [] } : fillArguments(tool, '')
}

function follow(command: Command, tools: Tools, answers: readonly string[]): Wish | { readonly text: string } {
  switch (command.type) {
    case 'list':
      return { text: tools.length === 0 ? noTools(answers) : toolList(tools) }
    case 'problem':
    case 'unknown':
      return { text: command.text }
    case 'call':
      return { tool: command.tool, filled: fillFromCommand(command.tool, command.input) }
  }
}

function say(text: string): OfflineAnswer {
  return { type: 'text', text }
}
