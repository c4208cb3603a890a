import type { TextForm } from './disk/text-encoding.ts'
import type { WorkspacePath } from './workspace-path.ts'

/**
 * The files and commands that the built-in tools work on. A port: disk and child processes, or the editor where it offers more. Paths are
 * absolute and real.
 */
export interface Workspace {
  /** The session's directories. Relative paths start at the first, the working directory. */
  readonly roots: readonly string[]
  readonly files: WorkspaceFiles
  readonly commands: CommandRunner
}

/** What an editor provides of a workspace. Disk and child processes serve for the rest. */
export interface EditorWorkspace {
  /** The whole text as the person sees it. The path is absolute and below one of the session's directories. */
  readText?(path: string, signal: AbortSignal): Promise<string>
  writeText?(path: string, text: string, signal: AbortSignal): Promise<void>
  readonly commands?: CommandRunner
}

/** A text without its byte order mark, and the form in which it is stored. */
export interface TextFile {
  readonly text: string
  readonly form: TextForm
}

/** Text files of the editor or the disk. All errors are sentences for the model. */
export interface WorkspaceFiles {
  /** The text as the person sees it, unsaved changes included. Undefined if there is no such file. */
  load(path: WorkspacePath, signal: AbortSignal): Promise<TextFile | undefined>
  /** The text that `save` would replace. Rejects if unsaved changes would be lost. */
  loadToChange(path: WorkspacePath, signal: AbortSignal): Promise<TextFile | undefined>
  /** Replaces the whole text. Returns the file as it is afterwards: an editor may format it. */
  save(path: WorkspacePath, file: TextFile, signal: AbortSignal): Promise<TextFile>
}

export interface CommandRunner {
  start(command: CommandStart): Promise<RunningCommand>
}

export interface CommandStart {
  /** A line for the shell. */
  readonly line: string
  readonly cwd: string
  /** The end of the output is kept. */
  readonly outputBytesMax: number
}

/** Disposing it ends the command with all its processes. */
export interface RunningCommand extends AsyncDisposable {
  /** The terminal of the editor that shows the command, if there is one. */
  readonly terminalId: string | undefined
  readonly ended: Promise<CommandEnd>
  output(): Promise<CommandOutput>
  /** Called when there may be new output. Returns a function that removes the listener. */
  onOutput(listener: () => void): () => void
}

export interface CommandOutput {
  readonly text: string
  /** Number of bytes left out at the beginning. Undefined if unknown. */
  readonly leftOut: number | undefined
  readonly isCut: boolean
}

export interface CommandEnd {
  readonly exitCode: number | null
  readonly signal: string | null
}
