import { existsSync } from 'node:fs'
import { didYouMean } from '../base/did-you-mean.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { SlashCommand } from './chat-session.ts'
import { clearCommand } from './commands/clear.ts'
import { lineOf, type AnswerCommand, type Command, type ModelCommand, type PromptCommand } from './commands/command.ts'
import { compactCommand } from './commands/compact.ts'
import { customCommands, skillCommands } from './commands/custom-commands.ts'
import { createHelpCommand } from './commands/help.ts'
import { historyCommand } from './commands/history.ts'
import { mcpCommand } from './commands/mcp.ts'
import { modelCommand } from './commands/model.ts'
import { permissionsCommand } from './commands/permissions.ts'
import { resourceCommands } from './commands/resources.ts'
import { serverPrompts } from './commands/server-prompts.ts'
import { stopCommand } from './commands/stop.ts'
import { toolsCommand } from './commands/tools.ts'
import { undoCommand } from './commands/undo.ts'
import type { SessionState } from './session-state.ts'

/** The commands of every session, in the order of the editor's menu. */
const ownCommands: readonly Command[] = [
  createHelpCommand(listCommands),
  modelCommand,
  compactCommand,
  clearCommand,
  mcpCommand,
  toolsCommand,
  permissionsCommand,
  historyCommand,
  undoCommand,
  stopCommand,
]

/** Sources of commands that depend on the session. If two commands have the same name, the first one counts. `ownCommands` come first. */
const commandSources: readonly ((state: SessionState) => readonly Command[])[] = [
  resourceCommands,
  offlineCommands,
  customCommands,
  serverPrompts,
  skillCommands,
]

const callCommand: ModelCommand = {
  type: 'model',
  name: 'call',
  description: 'Run a tool with these arguments',
  hint: 'tool {"argument": "value"}',
}

function offlineCommands({ settings }: SessionState): readonly Command[] {
  return settings.current.model === 'offline' ? [callCommand] : []
}

/** Warns of commands of an agent file that can never be called. */
export function warnOfHiddenCommands(names: readonly string[]): string[] {
  return names
    .filter((name) => ownCommands.some((own) => own.name === name))
    .map((name) => `commands: '${name}' is never used, because a built-in command has that name. Choose another name.`)
}

/** True for a command that Ostler answers without the model. */
export function isOwnCommand(name: string): boolean {
  return name === 'resources' || ownCommands.some((own) => own.name === name)
}

function commandsOf(state: SessionState): readonly Command[] {
  const byName = new Map<string, Command>()
  for (const command of [...ownCommands, ...commandSources.flatMap((source) => source(state))])
    if (!byName.has(command.name)) byName.set(command.name, command)
  return [...byName.values()]
}

export function listCommands(state: SessionState): SlashCommand[] {
  return commandsOf(state).map(({ name, description, hint, icons }) => ({ name, description, hint, icons }))
}

/** A prompt that is a command, with the text after its name. */
export type CommandMatch =
  | { readonly type: 'answer'; readonly command: AnswerCommand; readonly input: string }
  | { readonly type: 'prompt'; readonly command: PromptCommand; readonly input: string }
  /** A command that does not exist. The answer says so. */
  | { readonly type: 'unknown'; readonly text: string }

/** Undefined for a prompt that the model reads as it is. */
export function matchCommand(content: readonly ContentBlock[], state: SessionState): CommandMatch | undefined {
  const line = lineOf(content)
  if (line === undefined) return undefined
  const { name, input } = line
  const commands = commandsOf(state)
  const command = commands.find((candidate) => candidate.name === name)
  switch (command?.type) {
    case 'answer':
      return { type: 'answer', command, input }
    case 'prompt':
      return { type: 'prompt', command, input }
    case 'model':
      return undefined
    case undefined:
      return content.length === 1 ? unknownCommand(line, commands) : undefined
  }
}

/** A longer word cannot be a mistyped command. */
const nameCharsMax = 100

/**
 * A word after a slash may also begin a sentence about a path. It is a mistyped command if it is close to one or stands alone, unless
 * there is a path of that name.
 */
function unknownCommand({ name, input }: { readonly name: string; readonly input: string }, commands: readonly Command[]) {
  if (name.length > nameCharsMax || !/^[A-Za-z][\w:.-]*$/.test(name)) return undefined
  const near = didYouMean(
    name,
    commands.map((command) => command.name),
  )
  if ((near === undefined && input !== '') || existsSync(`/${name}`)) return undefined
  const hint = near === undefined ? '`/help` lists the commands.' : `Did you mean \`/${near}\`?`
  return { type: 'unknown', text: `There is no command \`/${name}\`. ${hint}` } as const
}
