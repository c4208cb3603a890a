import { OstlerError } from '../base/errors.ts'
import { createDiskFiles } from './disk-files.ts'
import type { CommandRunner, EditorWorkspace, Workspace } from './workspace.ts'

export interface OpenWorkspaceOptions {
  readonly roots: readonly string[]
  readonly editor: EditorWorkspace | undefined
}

/** Chooses the editor or this machine for each ability. Disposing it ends what it started. */
export function openWorkspace({ roots, editor = {} }: OpenWorkspaceOptions): Workspace & AsyncDisposable {
  const disk = createDiskFiles()
  return {
    roots,
    files: { readText: editor.readText ?? disk.readText, writeText: editor.writeText ?? disk.writeText },
    commands: editor.commands ?? noCommands,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

const noCommands: CommandRunner = {
  start: () => Promise.reject(new OstlerError('workspace.no_commands', 'Commands cannot be run here.')),
}
