import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { chooseTool } from './choose-tool.ts'
import { readCommand, type Command } from './command.ts'
import { isErrorResult, readConversation, textOfResult, type Turn } from './conversation.ts'
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

/** The tool that asks the person through a form; it takes part only as that. */
const askPersonName = 'ask_person'

/**
 * What to say or run next. A turn runs a tool once at most, with at most one form before it, and then ends in text: there is nothing here
 * that could go round in circles.
 */
export function answer(prompt: LanguageModelV4Prompt, offered: Tools): OfflineAnswer {
  const { turns } = readConversation(prompt)
  const turn = turns.at(-1)
  if (!turn) return say(introduction)
  const forms = turn.results.filter((result) => result.toolName === askPersonName)
  const results = turn.results.filter((result) => result.toolName !== askPersonName)
  if (results.length > 0) return say(summarize(results))

  const tools = offered.filter((tool) => tool.name !== askPersonName)
  const command = readCommand(turn.said, tools)
  if (command) return follow(command, tools)
  const wish = findWish(turns, tools)
  if ('text' in wish) return say(wish.text)

  const form = forms.at(-1)
  if (form) {
    if (isErrorResult(form)) return say(`Without an answer I cannot run \`${wish.tool.name}\`. ${textOfResult(form)}`)
    const filled = readForm(textOfResult(form), wish.tool.schema)
    if (!filled) return say(`I asked, but got no values I could use, so I did not run \`${wish.tool.name}\`.`)
    const missing = wish.filled.missing.filter((name) => !(name in filled))
    const input = { ...wish.filled.values, ...filled }
    return missing.length > 0 ? say(askFor(wish.tool, missing)) : { type: 'call', toolName: wish.tool.name, input }
  }
  return run(wish, offered)
}

interface Wish {
  readonly tool: OfflineTool
  readonly filled: FilledArguments
}

function run({ tool, filled }: Wish, offered: Tools): OfflineAnswer {
  if (filled.missing.length === 0) return { type: 'call', toolName: tool.name, input: filled.values }
  return offered.some(({ name }) => name === askPersonName)
    ? { type: 'call', toolName: askPersonName, input: formFor(tool, filled.missing) }
    : say(askFor(tool, filled.missing))
}

/** What the person wants run: said now, or begun in an earlier turn that ended in a question. */
function findWish(turns: readonly Turn[], tools: Tools): Wish | { readonly text: string } {
  const said = turns.at(-1)?.said ?? ''
  const pending = pendingSince(turns, tools)
  if (pending) return { tool: pending.tool, filled: fillFromAnswers(pending) }
  if (tools.length === 0) return { text: noTools }
  const choice = chooseTool(said, tools)
  switch (choice.type) {
    case 'tool':
      return { tool: choice.tool, filled: fillArguments(choice.tool, said) }
    case 'several':
      return { text: severalFit(choice.tools) }
    case 'greeting':
      return { text: introduction }
    case 'none':
      return { text: noFit(tools.length) }
  }
}

interface Pending {
  readonly tool: OfflineTool
  /** The wish, then each answer to a question about it. */
  readonly said: readonly string[]
}

/** Looks back over the questions that this turn may answer, to the wish they were about. */
function pendingSince(turns: readonly Turn[], tools: Tools): Pending | undefined {
  let first = turns.length - 1
  const name = askedAbout(turns[first - 1]?.answered)
  const tool = tools.find((tool) => tool.name === name)
  if (!tool || /^\s*(?:cancel|stop|no|never ?mind|forget it)\b/i.test(turns[first]?.said ?? '')) return undefined
  while (first > 0 && askedAbout(turns[first - 1]?.answered) === name) first--
  return { tool, said: turns.slice(first).map((turn) => turn.said) }
}

function fillFromAnswers({ tool, said }: Pending): FilledArguments {
  const [wish = '', ...answers] = said
  const command = readCommand(wish, [tool])
  let filled: FilledArguments =
    command?.type === 'call' ? { values: command.input, missing: missingOf(tool, command.input) } : fillArguments(tool, wish)
  for (const text of answers) {
    const added = fillArguments(tool, text, filled.missing)
    filled = { values: { ...filled.values, ...added.values }, missing: added.missing }
  }
  return filled
}

function follow(command: Command, tools: Tools): OfflineAnswer {
  switch (command.type) {
    case 'list':
      return say(tools.length === 0 ? noTools : toolList(tools))
    case 'problem':
      return say(command.text)
    case 'call':
      return { type: 'call', toolName: command.tool.name, input: command.input }
  }
}

function missingOf(tool: OfflineTool, input: Readonly<Record<string, unknown>>): string[] {
  return (tool.schema.required ?? []).filter((name) => !(name in input))
}

function say(text: string): OfflineAnswer {
  return { type: 'text', text }
}
