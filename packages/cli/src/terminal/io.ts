export type Environment = Readonly<Record<string, string | undefined>>

export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** The terminal of the person who started a command, for questions. */
export interface Terminal extends Disposable {
  readonly input: Input
  readonly output: Output
}

/** Everything that a command uses of its process. Tests run commands with their own `Io`. */
export interface Io {
  readonly env: Environment
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly nodeVersion: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /** The command line that starts this installation: absolute paths of Node and of the script, or of the single executable. */
  readonly self: readonly [program: string, ...script: string[]]
  /** Calls the listener on each signal that asks the command to end. Disposing it restores what the signal does by default. */
  onEndSignal(listener: (signal: NodeJS.Signals) => void): Disposable
  /** For a command that serves: passes unhandled errors to the listener, and the process continues. */
  onUnhandled(listener: (error: unknown, kind: 'error' | 'rejection') => void): void
  /** Ends the process after this time with this exit code (0 by default), unless it has already ended. */
  exitWithin(ms: number, code?: number): void
  /** Calls the listener when the process ends, however it ends, unless it is killed. It cannot wait for anything. */
  onExit(listener: () => void): Disposable
  /** Stops the process, as Ctrl-Z does. Calls the listener when it is continued. */
  suspend(onContinue: () => void): void
  /** The terminal, even if the standard streams are redirected. Undefined if nobody can be asked. */
  openTerminal(): Terminal | undefined
}
