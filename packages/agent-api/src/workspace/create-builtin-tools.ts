import type { Tool } from '../messages/tool.ts'
import { commandOutputTool, stopCommandTool } from './commands/command-output.ts'
import { toCommandLimits, type CommandToolOptions } from './commands/command-tool.ts'
import { runCommandTool } from './commands/run-command.ts'
import { fetchUrlTool } from './fetch/fetch-url.ts'
import { createFileAccess } from './files/file-access.ts'
import { editFileTool } from './files/edit-file.ts'
import { listDirectoryTool } from './files/list-directory.ts'
import { readFileTool } from './files/read-file.ts'
import { writeFileTool } from './files/write-file.ts'
import { builtinToolNames, type OwnToolName } from './builtin-tools.ts'
import { createDelegateTool } from './delegate.ts'
import type { BuiltinToolsOptions } from './open-builtin-tools.ts'
import { updatePlan } from './update-plan.ts'
import { findFilesTool } from './search/find-files.ts'
import { searchFilesTool } from './search/search-files.ts'
import { createDiskCommands } from './commands/disk-commands.ts'
import { openCommandShelf, type CommandShelf } from './commands/open-command-shelf.ts'
import { createWorkspaceFiles } from './files/workspace-files.ts'
import type { Workspace } from './workspace.ts'

export interface OpenWorkspace extends Workspace, AsyncDisposable {
  readonly commands: CommandShelf
}

/** Chooses the editor or this machine for each ability. */
export function openWorkspace({
  roots,
  ownFiles,
  editor = {},
  settings,
  timing,
  logger,
}: BuiltinToolsOptions): OpenWorkspace {
  const keptVariables = settings.run_command?.keepVariables
  const commands = openCommandShelf(editor.commands ?? createDiskCommands({ timing, logger, keptVariables }))
  return {
    roots,
    ownFiles,
    files: createWorkspaceFiles(editor),
    commands,
    [Symbol.asyncDispose]: () => commands[Symbol.asyncDispose](),
  }
}

/** All built-in tools, in the order of their table. */
export function createBuiltinTools(
  workspace: OpenWorkspace,
  { cleaner, changes, memory, settings, runTask, stateDir, askHost, isFenced }: BuiltinToolsOptions,
): readonly Tool[] {
  const { run_command: command = {}, fetch_url: fetching } = settings
  const { roots, ownFiles, commands: shelf } = workspace
  const files = createFileAccess(workspace, { cleaner, changes, memory })
  const limits = toCommandLimits(command)
  const own = { ownFiles, stateDir }
  const commands: CommandToolOptions = {
    roots,
    ownFiles,
    shelf,
    cleaner,
    memory,
    limits,
    own,
    askHost,
    sandbox: command.sandbox,
    isFenced,
  }
  const tools: Readonly<Record<OwnToolName, Tool>> = {
    read_file: readFileTool(files),
    write_file: writeFileTool(files),
    edit_file: editFileTool(files),
    list_directory: listDirectoryTool(files),
    find_files: findFilesTool({ roots, ownFiles }),
    search_files: searchFilesTool({ roots, ownFiles, clean: cleaner.clean }),
    run_command: runCommandTool(commands),
    command_output: commandOutputTool(commands),
    stop_command: stopCommandTool(commands),
    fetch_url: fetchUrlTool({ allowedHosts: fetching?.privateHosts ?? [] }, cleaner.clean),
    update_plan: updatePlan,
    delegate: createDelegateTool(runTask, cleaner),
  }
  return builtinToolNames.map((name) => tools[name])
}
