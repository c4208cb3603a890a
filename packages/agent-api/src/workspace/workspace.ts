/**
 * The files and commands that the built-in tools work on. A port: disk and child processes, or the editor where it offers more. Paths are
 * absolute and real.
 */
export interface Workspace {
  /** The session's directories. Relative paths start at the first, the working directory. */
  readonly roots: readonly string[]
  readonly files: TextFiles
  readonly commands: CommandRunner
}

/** What an editor provides of a workspace. Disk and child processes serve for the rest. */
export interface EditorWorkspace {
  readonly readText?: TextFiles['readText']
  readonly writeText?: TextFiles['writeText']
  readonly commands?: CommandRunner
}

/** Whole text files. An editor's version includes unsaved changes. */
export interface TextFiles {
  readText(path: string, signal: AbortSignal): Promise<string>
  writeText(path: string, text: string, signal: AbortSignal): Promise<void>
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
