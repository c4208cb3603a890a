import type { Logger } from '../base/logger.ts'
import type { Grace } from '../base/timing.ts'
import { createDiskCommands } from './commands/disk-commands.ts'
import { openCommandShelf, type CommandShelf } from './commands/open-command-shelf.ts'
import { createWorkspaceFiles } from './files/workspace-files.ts'
import type { EditorWorkspace, Workspace } from './workspace.ts'
import type { WorkspaceBounds } from './workspace-path.ts'

export interface OpenWorkspaceOptions extends WorkspaceBounds {
  readonly editor: EditorWorkspace | undefined
  /** Variables that commands on this machine get although they hold secrets. */
  readonly keptVariables?: readonly string[] | undefined
  readonly timing: Grace
  readonly logger: Logger
}

/** Disposing it ends what it started. */
export interface OpenWorkspace extends Workspace, AsyncDisposable {
  readonly commands: CommandShelf
}

/** Chooses the editor or this machine for each ability. */
export function openWorkspace({
  roots,
  ownFiles,
  editor = {},
  keptVariables,
  timing,
  logger,
}: OpenWorkspaceOptions): OpenWorkspace {
  const commands = openCommandShelf(editor.commands ?? createDiskCommands({ timing, logger, keptVariables }))
  return {
    roots,
    ownFiles,
    files: createWorkspaceFiles(editor),
    commands,
    [Symbol.asyncDispose]: () => commands[Symbol.asyncDispose](),
  }
}
