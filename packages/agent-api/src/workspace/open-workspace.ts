import { OstlerError } from '../base/errors.ts'
import { createWorkspaceFiles } from './files/workspace-files.ts'
import type { CommandRunner, EditorWorkspace, Workspace } from './workspace.ts'

export interface OpenWorkspaceOptions {
  readonly roots: readonly string[]
  readonly editor: EditorWorkspace | undefined
}

/** Chooses the editor or this machine for each ability. Disposing it ends what it started. */
export function openWorkspace({ roots, editor = {} }: OpenWorkspaceOptions): Workspace & AsyncDisposable {
  return {
    roots,
    files: createWorkspaceFiles(editor),
    commands: editor.commands ?? noCommands,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

const noCommands: CommandRunner = {
  start: () => Promise.reject(new OstlerError('workspace.no_commands', 'Commands cannot be run here.')),
}
