import type { TextCleaner } from '../base/clean-text.ts'
import type { FileChanges } from '../messages/file-change.ts'
import type { Tool } from '../messages/tool.ts'
import { commandOutputTool, stopCommandTool } from './commands/command-output.ts'
import { toCommandLimits, type CommandLimits, type CommandToolOptions } from './commands/command-tool.ts'
import { runCommandTool } from './commands/run-command.ts'
import { fetchUrlTool } from './fetch/fetch-url.ts'
import { createFileAccess } from './files/file-access.ts'
import { editFileTool } from './files/edit-file.ts'
import { listDirectoryTool } from './files/list-directory.ts'
import { readFileTool } from './files/read-file.ts'
import { writeFileTool } from './files/write-file.ts'
import type { OpenWorkspace } from './open-workspace.ts'
import type { WorkspaceMemory } from './workspace-memory.ts'
import { findFilesTool } from './search/find-files.ts'
import { searchFilesTool } from './search/search-files.ts'

export interface BuiltinToolOptions {
  readonly cleaner: TextCleaner
  /** Records the old texts of files, for `/undo`. */
  readonly changes?: FileChanges
  readonly memory: WorkspaceMemory
  readonly commandLimits?: { readonly [K in keyof CommandLimits]?: CommandLimits[K] | undefined }
  /** Hosts in private networks that `fetch_url` may reach. */
  readonly fetchHosts?: readonly string[] | undefined
}

/** All tools that work on a workspace. Their names are in `builtin-tool-names.ts`. */
export function createBuiltinTools(workspace: OpenWorkspace, options: BuiltinToolOptions): readonly Tool[] {
  const { cleaner, changes, memory, commandLimits = {}, fetchHosts: allowedHosts = [] } = options
  const { roots, ownFiles, commands: shelf } = workspace
  const files = createFileAccess(workspace, { cleaner, changes, memory })
  const commands: CommandToolOptions = { roots, ownFiles, shelf, cleaner, memory, limits: toCommandLimits(commandLimits) }
  return [
    readFileTool(files),
    writeFileTool(files),
    editFileTool(files),
    listDirectoryTool(files),
    findFilesTool({ roots, ownFiles }),
    searchFilesTool({ roots, ownFiles, clean: cleaner.clean }),
    runCommandTool(commands),
    commandOutputTool(commands),
    stopCommandTool(commands),
    fetchUrlTool({ allowedHosts }, cleaner.clean),
  ]
}
