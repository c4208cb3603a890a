import { existsSync } from 'node:fs'
import { didYouMean } from '../base/did-you-mean.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { SlashCommand } from './chat-session.ts'
import { clearCommand } from './commands/clear.ts'
import {
  lineOf,
  type AnswerCommand,
  type Command,
  type ModelCommand,
  type PromptCommand,
} from './commands/command.ts'
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
import type { Session } from './session.ts'

const ownCommands: readonly AnswerCommand[] = [
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
const commandSources: readonly ((session: Session) => readonly Command[])[] = [
  ({ toolbox }) => resourceCommands(toolbox),
  offlineCommands,
  ({ project }) => customCommands(project),
  ({ toolbox, person }) => serverPrompts(toolbox, person),
  ({ project }) => skillCommands(project),
]

const callCommand: ModelCommand = {
  type: 'model',
  name: 'call',
  description: 'Run a tool with these arguments',
  hint: 'tool {"argument": "value"}',
}

function offlineCommands({ record }: Session): readonly Command[] {
  return record.settings.current.model === 'offline' ? [callCommand] : []
}

export function warnOfHiddenCommands(names: readonly string[]): string[] {
  return names
    .filter((name) => ownCommands.some((own) => own.name === name))
    .map(
      (name) =>
        `commands: '${name}' is never used, because a built-in command has that name. Choose another name.`,
    )
}

export function isImmediateCommand(content: readonly ContentBlock[]): boolean {
  const name = lineOf(content)?.name
  return ownCommands.some((own) => own.name === name && own.isImmediate === true)
}

/** True for a command that Ostler answers without the model. */
export function isOwnCommand(name: string): boolean {
  return name === 'resources' || ownCommands.some((own) => own.name === name)
}

function commandsOf(session: Session): readonly Command[] {
  const byName = new Map<string, Command>()
  for (const command of [...ownCommands, ...commandSources.flatMap((source) => source(session))])
    if (!byName.has(command.name)) byName.set(command.name, command)
  return [...byName.values()]
}

export function listCommands(session: Session): SlashCommand[] {
  return commandsOf(session).map(({ name, description, hint, icons }) => ({ name, description, hint, icons }))
}

export interface CommandMatch {
  readonly command: AnswerCommand | PromptCommand
  readonly input: string
}

export function matchCommand(content: readonly ContentBlock[], session: Session): CommandMatch | undefined {
  const line = lineOf(content)
  if (line === undefined) return undefined
  const commands = commandsOf(session)
  const command =
    commands.find(({ name }) => name === line.name) ??
    (content.length === 1 ? unknownCommand(line, commands) : undefined)
  return command === undefined || command.type === 'model' ? undefined : { command, input: line.input }
}

/** A longer word cannot be a mistyped command. */
const nameCharsMax = 100

/**
 * A word after a slash may also begin a sentence about a path. It counts as a mistyped command if it is close
 * to one or stands alone, unless there is a path of that name.
 */
function unknownCommand(
  { name, input }: { readonly name: string; readonly input: string },
  commands: readonly Command[],
): AnswerCommand | undefined {
  if (name.length > nameCharsMax || !/^[A-Za-z][\w:.-]*$/.test(name)) return undefined
  const near = didYouMean(
    name,
    commands.map((command) => command.name),
  )
  if ((near === undefined && input !== '') || existsSync(`/${name}`)) return undefined
  const hint = near === undefined ? '`/help` lists the commands.' : `Did you mean \`/${near}\`?`
  const text = `There is no command \`/${name}\`. ${hint}`
  return { type: 'answer', name, description: '', answer: () => text }
}
