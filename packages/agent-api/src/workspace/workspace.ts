import type { Fence } from '../fence/fence.ts'
import type { TextForm } from './disk/text-encoding.ts'
import type { WorkspaceBounds, WorkspacePath } from './workspace-path.ts'

/**
 * The files that the built-in tools work on. A port: the disk, or the editor where it offers more. Paths are absolute and real. Commands
 * have a port of their own, `CommandRunner`.
 */
export interface Workspace extends WorkspaceBounds {
  readonly files: WorkspaceFiles
}

/** The parts of a workspace that an editor provides. The disk and child processes provide the rest. */
export interface EditorWorkspace {
  /** The whole text as the person sees it. The path is absolute and in one of the session's directories. */
  readText?(path: string, signal: AbortSignal): Promise<string>
  writeText?(path: string, text: string, signal: AbortSignal): Promise<void>
  readonly commands?: CommandRunner
}

/** A text without its byte order mark, and the form in which it is stored. */
export interface TextFile {
  readonly text: string
  readonly form: TextForm
  /** The line endings on the disk, where the text is the editor's: an editor may show others. */
  readonly endings?: LineEndings
}

export type LineEndings = 'none' | 'lf' | 'crlf' | 'mixed'

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
  /** Rejects with an `OstlerError` if the command cannot be started. */
  start(command: CommandStart, signal: AbortSignal): Promise<RunningCommand>
}

export interface CommandStart {
  /** A line for the shell. */
  readonly line: string
  readonly cwd: string
  readonly fence?: Fence | undefined
}

/** Disposing it stops the command and forgets its output. */
export interface RunningCommand extends AsyncDisposable {
  /** The terminal of the editor that shows the command, if there is one. */
  readonly terminalId: string | undefined
  /** Never rejects. */
  readonly ended: Promise<CommandEnd>
  readonly output: CommandOutput
  /** Ends the command with all its processes. Its output can still be read. */
  stop(): Promise<void>
}

/** Everything that a command has printed, by position in bytes. Only the end of a very long output is kept. */
export interface CommandOutput {
  size(): Promise<number>
  read(from: number, to: number): Promise<OutputPiece>
  /** Called when there may be new output. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

/** Whole characters. `start` and `end` differ from the requested positions if those are no longer kept or within a character. */
export interface OutputPiece {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface CommandEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** True if the editor failed to say that the command ended. It may also succeed without an exit code. */
  readonly isLost?: boolean
  /** True if the command ended, but left processes behind. Ostler ended them. */
  readonly leftProcesses: boolean
}
